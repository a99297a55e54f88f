# latency.gp - What share of the operations was answered within what time, both on log axes.
#
# Reads: OPERATIONS (number of them), NAME[i], REQUESTS[i], P50[i], P99[i] and MAX[i] (texts of the
# legend), LABELS, LABEL[k] at LABEL_X[k], LABEL_Y[k] on the curve LABEL_OF[k], US_MIN, US_MAX,
# TICS, TIC[k] at TIC_AT[k], REQUESTS_MAX, NOTHING (what to say of no operation), and the files
# latency.dat (a block for each i: one in how many operations takes longer, microseconds) and
# marks.dat (the points at p50, p99 and the maximum).

if (OPERATIONS == 0) {
    unset xtics
    unset ytics
    unset border
    set format x ''
    set label 3 NOTHING at graph 0.5,0.5 center textcolor rgb GREY font FONT(16)
    plot [0:1][0:1] NaN notitle
    exit
}

set logscale xy
set xrange [1:REQUESTS_MAX * (TERMINAL ? 1 : 1.25)]
set yrange [US_MIN:US_MAX]
set format x ''
set xtics ('50 %%' 2, '90 %%' 10, '99 %%' 100)
do for [k = 3:12] {
    set xtics add (sprintf('99.%s %%%%', substr('9999999999', 1, k - 2)) 10.0 ** k)
}
set ytics (TIC[1] TIC_AT[1])
do for [k = 2:TICS] {
    set ytics add (TIC[k] TIC_AT[k])
}

if (TERMINAL) {
    set xlabel 'operations answered within (each step right: a tenth of the rest)'
    plot for [i = 1:OPERATIONS] 'latency.dat' index i - 1 using 1:2 with lines \
        title NAME[i].': p50 '.P50[i].', p99 '.P99[i].', max '.MAX[i]
    exit
}

array COLOUR[6] = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY]
top = 0.80 - 0.036 * OPERATIONS
set lmargin at screen 0.1
set rmargin at screen 0.965
set tmargin at screen top
set bmargin at screen 0.125
set grid xtics ytics linecolor rgb FAINT linewidth 1
set xlabel 'operations that were answered within this time (each step to the right is a tenth of the rest)'
set label 4 'time from arrival to answer, with retries' \
    at screen 0.013, screen (0.125 + top) / 2 center rotate

set label 10 'operations that succeeded' at screen 0.42,0.835 right textcolor rgb '#333333'
set label 11 'p50' at screen 0.53,0.835 right textcolor rgb '#333333'
set label 12 'p99' at screen 0.64,0.835 right textcolor rgb '#333333'
set label 13 'max' at screen 0.75,0.835 right textcolor rgb '#333333'
do for [i = 1:OPERATIONS] {
    y = 0.835 - 0.036 * i
    set arrow 10 + i from screen 0.1,y to screen 0.12,y nohead linewidth 5 \
        linecolor rgb COLOUR[i]
    set label 20 + i NAME[i] at screen 0.127,y left
    set label 30 + i REQUESTS[i] at screen 0.42,y right
    set label 40 + i P50[i] at screen 0.53,y right
    set label 50 + i P99[i] at screen 0.64,y right
    set label 60 + i MAX[i] at screen 0.75,y right
}
do for [k = 1:LABELS] {
    if (LABEL_X[k] > 2) {
        set label 100 + k LABEL[k] at first LABEL_X[k], first LABEL_Y[k] right offset -0.8,0.7 \
            font BOLD(11) textcolor rgb COLOUR[LABEL_OF[k]] front
    } else {
        set label 100 + k LABEL[k] at first LABEL_X[k], first LABEL_Y[k] left offset 0.8,-0.7 \
            font BOLD(11) textcolor rgb COLOUR[LABEL_OF[k]] front
    }
}
plot for [i = 1:OPERATIONS] 'latency.dat' index i - 1 using 1:2 with lines linewidth 3 \
        linecolor rgb COLOUR[i] notitle, \
    for [i = 1:OPERATIONS] 'marks.dat' index i - 1 using 1:2 with points pointtype 7 \
        pointsize 1.6 * POINT linecolor rgb COLOUR[i] notitle
