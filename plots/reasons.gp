# reasons.gp - Throttle events per second, stacked by AWS's reason.
#
# Reads: REASONS (number of them), REASON[i], LEGEND[i], EVENTS_MAX, EVENTS_STEP and the file
# reasons.dat (time, then for each i the events per second of the reasons 1 to i). Drawn from the
# last sum to the first.

set yrange [0:EVENTS_MAX]
set ylabel 'throttle events per second'

if (TERMINAL) {
    if (REASONS == 0) {
        set label 3 'nothing was throttled' at graph 0.5,0.5 center
        plot NaN notitle
    } else {
        plot for [i = REASONS:1:-1] 'reasons.dat' using 1:(column(1 + i)) with @BARS \
            title LEGEND[i]
    }
    exit
}

Y_MAX = EVENTS_MAX
Y_STEP = EVENTS_STEP
eval COMMA_YTICS
unset ylabel
set label 4 'throttle events per second' at screen 0.013, screen 0.45 center rotate
set lmargin at screen 0.085
set rmargin at screen 0.965
set tmargin at screen 0.85 - 0.036 * (REASONS > 0 ? REASONS : 1)
set bmargin at screen 0.105
set xlabel X_LABEL
if (REASONS == 0) {
    set label 3 'nothing was throttled' at graph 0.5,0.5 center textcolor rgb GREY \
        font FONT(16)
    plot NaN notitle
} else {
    set key at graph 0,1.02 left bottom vertical Left reverse invert samplen 1.5 maxcols 1
    plot for [i = REASONS:1:-1] 'reasons.dat' using 1:(column(1 + i)) with fillsteps \
        fillcolor rgb reason_colour(REASON[i]) title LEGEND[i]
}
