# keys.gp - The hottest keys: units accessed on the left, refused attempts on the right.
#
# Reads: ROWS, NAMES[i], UNITS[i] and REFUSED[i] (labels), UNITS_AT[i] and REFUSED_AT[i] (their
# places), UNITS_MAX, REFUSED_MAX, UNITS_TITLE, REFUSED_TITLE, HAS_READS, HAS_WRITES, and the file
# keys.dat (row, RCU, RCU + WCU, refused reads, refused reads and writes).

set multiplot
height = ROWS > 8 ? ROWS : 8
set yrange [height + 0.6:0.4]
unset xtics
unset ytics
unset grid
set format x ''
set border 2
set tmargin at screen 0.795
set bmargin at screen 0.035
set key at graph 0,1.005 left bottom horizontal Left reverse samplen 1 width 1
both = HAS_READS && HAS_WRITES

set lmargin at screen 0.29
set rmargin at screen 0.65
set xrange [0:UNITS_MAX]
do for [i = 1:ROWS] {
    set label 10 + i NAMES[i] at graph -0.02, first i right font MONO(11)
    set label 50 + i UNITS[i] at first UNITS_AT[i], first i left offset 0.6,0 font FONT(11)
}
if (ROWS == 0) {
    set label 10 'no key was touched' at screen 0.5,0.45 center textcolor rgb GREY
    unset border
    plot NaN notitle
    unset multiplot
    exit
}
set label 3 UNITS_TITLE at graph 0, graph (both ? 1.075 : 1.03) left font BOLD(12)
plot 'keys.dat' using (0):1:(0):2:($1 - 0.36):($1 + 0.36) with boxxyerror \
        fillcolor rgb SKY title (both ? 'reads (RCU)' : ''), \
    'keys.dat' using (0):1:2:3:($1 - 0.36):($1 + 0.36) with boxxyerror \
        fillcolor rgb BLUE title (both ? 'writes (WCU)' : '')
unset label

set lmargin at screen 0.67
set rmargin at screen 0.99
set xrange [0:REFUSED_MAX]
set label 3 REFUSED_TITLE at graph 0, graph (both ? 1.075 : 1.03) left font BOLD(12)
do for [i = 1:ROWS] {
    set label 50 + i REFUSED[i] at first REFUSED_AT[i], first i left offset 0.6,0 \
        font FONT(11)
}
plot 'keys.dat' using (0):1:(0):4:($1 - 0.36):($1 + 0.36) with boxxyerror \
        fillcolor rgb ORANGE title (both ? 'reads' : ''), \
    'keys.dat' using (0):1:4:5:($1 - 0.36):($1 + 0.36) with boxxyerror \
        fillcolor rgb VERMILLION title (both ? 'writes' : '')
unset multiplot
