# overlay.gp - Several runs in one picture: what they consumed above, what was refused or saved
# below.
#
# Reads: CURVES, LABEL_k, SIDE, UNIT, PROVISIONED (legend; empty: none), OF_BURST (below: burst
# that is left, else refused attempts), ANY (is anything below), UNITS_MAX, UNITS_STEP, BOTTOM_MAX,
# BOTTOM_STEP, what theme.gp says of MARKS, marks.dat (time, curve, kind), and the files curve-k.dat (time, mean consumed, provisioned, refused, least burst).

file(k) = sprintf('curve-%d.dat', k)
label(k) = value(sprintf('LABEL_%d', k))
below = OF_BURST ? 5 : 4

if (TERMINAL) {
    set multiplot layout 2,1
    set yrange [0:UNITS_MAX]
    set ylabel UNIT.'/s'
    plot for [k = 1:CURVES] file(k) using 1:2 with steps title label(k)
    set yrange [0:BOTTOM_MAX]
    set ylabel OF_BURST ? UNIT.' left' : 'refused/s'
    plot for [k = 1:CURVES] file(k) using 1:below with steps title label(k)
    unset multiplot
    exit
}

# Curves that lie on each other: the first is the widest, so that each is seen.
COLOURS = BLUE.' '.VERMILLION.' '.GREEN.' '.ORANGE.' '.PURPLE.' '.SKY
width(k) = 2.5 + 2.5 * (CURVES - k)
colour(k) = word(COLOURS, k)

LEGEND_Y = MARKS > 0 ? 0.827 : 0.832
set multiplot
set lmargin at screen 0.085
set rmargin at screen 0.965
set tmargin at screen 0.78
set bmargin at screen 0.455
Y_MAX = UNITS_MAX
Y_STEP = UNITS_STEP
set yrange [0:Y_MAX]
eval COMMA_YTICS
set format x ''
unset xlabel
set label 4 'consumed by '.SIDE.' ('.UNIT.'/s)' at screen 0.013, screen 0.62 center rotate
step = 0.88 / (CURVES + 1)
do for [k = 1:CURVES] {
    x = 0.085 + (k - 1) * step
    set arrow 110 + k from screen x,LEGEND_Y to screen x + 0.02,LEGEND_Y nohead linewidth 5 \
        linecolor rgb colour(k)
    set label 110 + k label(k) at screen x + 0.025,LEGEND_Y
}
if (strlen(PROVISIONED) > 0) {
    x = 0.085 + CURVES * step
    set arrow 104 from screen x,LEGEND_Y to screen x + 0.02,LEGEND_Y nohead linewidth 3 \
        dashtype (5,3) linecolor rgb BLACK
    set label 104 PROVISIONED at screen x + 0.025,LEGEND_Y
}
if (MARKS > 0) {
    do for [m = 1:MARKS] {
        set label 130 + m MARK_TEXT[m] at screen 0.085 + (m - 1) * 0.2 + 0.006,0.857 left \
            offset 0.9,0 point pointtype MARK_POINT[MARK_KIND[m]] pointsize 1.5 * POINT \
            linecolor rgb BLACK
    }
}
plot for [k = 1:CURVES] file(k) using 1:2 with steps linewidth width(k) linecolor rgb colour(k) \
    notitle, \
    for [k = 1:CURVES] file(k) using 1:3 with steps linewidth 3 dashtype (10,6) \
    linecolor rgb BLACK notitle
unset label
unset arrow
if (MARKS > 0) { # a lane a curve, in its colour; its symbol is the kind
    set tmargin at screen 0.812
    set bmargin at screen 0.784
    unset border
    unset xtics
    unset ytics
    unset grid
    set yrange [0:CURVES]
    plot for [k = 1:CURVES] for [m = 1:MARKS] 'marks.dat' \
        using 1:($2 == k && $3 == MARK_KIND[m] ? CURVES - k + 0.5 : NaN) with points \
        pointtype MARK_POINT[MARK_KIND[m]] pointsize (FORMAT eq 'svg' ? 0.9 : 1.2) * POINT \
        linecolor rgb colour(k) notitle
    set border 3 linewidth 1.2 linecolor rgb GREY
    set xtics X_STEP nomirror
    set tics nomirror textcolor rgb BLACK
    set grid ytics linecolor rgb FAINT linewidth 1
}

set tmargin at screen 0.40
set bmargin at screen 0.105
Y_MAX = BOTTOM_MAX
Y_STEP = BOTTOM_STEP
set yrange [0:Y_MAX]
eval COMMA_YTICS
set label 4 (OF_BURST ? 'burst left ('.UNIT.')' : 'throttled (attempts/s)') \
    at screen 0.013, screen 0.2525 center rotate
set format x X_FORMAT timedate
set xlabel BIN_S == 1 ? X_LABEL : X_LABEL.', means of '.PER_BIN
if (!ANY) {
    set label 3 OF_BURST ? 'nothing is saved here: not provisioned' : 'no '.SIDE.' were throttled' \
        at graph 0.5,0.5 center textcolor rgb GREY
}
plot for [k = 1:CURVES] file(k) using 1:below with steps linewidth width(k) \
    linecolor rgb colour(k) notitle
unset multiplot
