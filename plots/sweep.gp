# sweep.gp - A metric over one or two parameters of a sweep: curves with 95 % intervals, or a map.
#
# Reads: IS_MAP, SERIES (curves), HAS_SERIES, X_NAME, Y_NAME, METRIC (texts), X_IS_NUMERIC, X_IS_LOG,
# VALUE_MAX, VALUE_STEP, X_TICS, X_TIC[i] at X_TIC_AT[i], the same of Y (a curve or a row each), and
# the file sweep.dat: a block a curve of place, mean, low, high; or of a map x, y, mean.

HAS_LONG_TICS = 0 # names that would run into each other
if (!X_IS_NUMERIC && !IS_MAP && !TERMINAL) {
    letters = 0
    do for [i = 1:X_TICS] {
        letters = letters + strlen(X_TIC[i]) + 2
    }
    HAS_LONG_TICS = letters > 90
}
set format x '%g'
unset xtics
set xlabel X_NAME
if (!X_IS_NUMERIC || IS_MAP || X_TICS <= 12) {
    set xtics nomirror (X_TIC[1] X_TIC_AT[1]) textcolor rgb BLACK
    do for [i = 2:X_TICS] {
        set xtics add (X_TIC[i] X_TIC_AT[i])
    }
    if (HAS_LONG_TICS) {
        set xtics rotate by 20 right
    }
} else {
    set xtics nomirror autofreq textcolor rgb BLACK
}
if (X_IS_LOG && !IS_MAP) {
    set logscale x
}
if (!TERMINAL) {
    set lmargin at screen 0.085
    set tmargin at screen 0.86 - (HAS_SERIES && !IS_MAP ? 0.05 : 0)
    set bmargin at screen (HAS_LONG_TICS ? 0.24 : 0.125)
}

if (IS_MAP) {
    set xrange [0.5:X_TICS + 0.5]
    set yrange [0.5:Y_TICS + 0.5]
    set ytics (Y_TIC[1] Y_TIC_AT[1])
    do for [i = 2:Y_TICS] {
        set ytics add (Y_TIC[i] Y_TIC_AT[i])
    }
    set ylabel Y_NAME
    set cbrange [0:VALUE_MAX]
    unset grid
    set border 0
    if (!TERMINAL) {
        set rmargin at screen 0.86
    }
    if (TERMINAL) { # numbers in the cells: it has no colours
        unset colorbox
        set xlabel X_NAME.'; in the cells: '.METRIC
        plot 'sweep.dat' using 1:2:(column(3) < 0 ? '-' : sprintf('%.3g', column(3))) \
            with labels notitle
    } else {
        set cblabel METRIC offset 2,0
        plot 'sweep.dat' using 1:2:3 with image notitle
    }
    exit
}

array COLOUR[6] = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY]
SPAN = X_TIC_AT[X_TICS] - X_TIC_AT[1]
stats 'sweep.dat' using 1 nooutput
if (X_IS_LOG) {
    set xrange [STATS_min / 1.1:STATS_max * 1.1]
} else {
    pad = STATS_max > STATS_min ? 0.04 * (STATS_max - STATS_min) : 0.5
    set xrange [STATS_min - pad:STATS_max + pad]
}
set yrange [0:VALUE_MAX]
NAME_OF(i) = HAS_SERIES ? Y_NAME.' '.Y_TIC[i] : ''

if (TERMINAL) {
    set ylabel METRIC
    if (HAS_SERIES) {
        if (X_IS_NUMERIC) {
            plot for [i = 1:SERIES] 'sweep.dat' index i - 1 using 1:2 with linespoints \
                title NAME_OF(i)
        } else {
            plot for [i = 1:SERIES] 'sweep.dat' index i - 1 using 1:2 with points title NAME_OF(i)
        }
    } else { if (!X_IS_NUMERIC) {
        plot 'sweep.dat' using 1:2:3:4 with yerrorbars notitle
    } else {
        plot 'sweep.dat' using 1:2:3:4 with yerrorlines notitle
    }}
    exit
}

Y_MAX = VALUE_MAX
Y_STEP = VALUE_STEP
eval COMMA_YTICS
set rmargin at screen 0.965
set label 4 METRIC at screen 0.013, screen 0.49 center rotate
if (HAS_SERIES) {
    set key at screen 0.085,0.845 left center horizontal Left reverse samplen 2 maxrows 1
}
set bars 0.8
plot for [i = 1:SERIES] 'sweep.dat' index i - 1 using 1:(X_IS_NUMERIC ? $2 : NaN) with lines \
        linewidth 3 linecolor rgb COLOUR[i] notitle, \
    for [i = 1:SERIES] 'sweep.dat' index i - 1 using 1:2:3:4 with yerrorbars linewidth 2 \
        pointtype 7 pointsize 1.6 * POINT linecolor rgb COLOUR[i] title NAME_OF(i)
