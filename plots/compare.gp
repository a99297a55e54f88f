# compare.gp - Designs in the order of a metric: bars with 95 % intervals, and how far each is from
# the first one.
#
# Reads: ROWS, NAMES[i], MEANS[i] and DIFFERENCES[i] (labels), MEANS_AT[i] (their places), VALUE_MAX,
# METRIC (title), and the file compare.dat: row, mean, low, high, what it is beside the first design
# (0: the first, 1: less, 2: more, 3: no difference shown).

height = ROWS > 4 ? ROWS : 4
set yrange [height + 0.6:0.4]
unset xtics
unset ytics
unset grid
set format x ''
unset xlabel
set border 2
set tmargin at screen 0.80
set bmargin at screen 0.045
set lmargin at screen 0.30
set rmargin at screen 0.72
set xrange [0:VALUE_MAX]
if (ROWS == 0) {
    set label 10 'no run has a value' at screen 0.5,0.45 center textcolor rgb GREY
    unset border
    plot NaN notitle
    exit
}
do for [i = 1:ROWS] {
    set label 100 + i NAMES[i] at graph -0.02, first i right font FONT(12)
    set label 200 + i MEANS[i] at first MEANS_AT[i], first i left offset 0.8,0 font FONT(12)
    set label 300 + i DIFFERENCES[i] at screen 0.985, first i right font FONT(12)
}
set label 3 METRIC at graph 0, graph 1.03 left font BOLD(12)
set label 4 'difference to the first' at screen 0.985, graph 1.03 right font BOLD(12)
array COLOUR[4] = [GREY, SKY, ORANGE, FAINT]
set bars 0.6
plot for [kind = 0:3] 'compare.dat' using (0):1:(0):($5 == kind ? $2 : NaN):($1 - 0.36):($1 + 0.36) \
        with boxxyerror fillcolor rgb COLOUR[kind + 1] notitle, \
    'compare.dat' using 2:1:3:4 with xerrorbars pointtype 7 pointsize 0.6 * POINT linewidth 2 \
        linecolor rgb BLACK notitle
