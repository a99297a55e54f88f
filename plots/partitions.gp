# partitions.gp - Heat map of the key space over time, and how much of its cap each partition uses.
#
# Reads: SPAN_S, RING_FROM (start of the first span), HEAT_MIN, HEAT_MAX, HEAT_STEP, HEAT_LOG,
# UNIT, SIDE, CAP, USE_MAX, USE_STEP, BORDERS, LABELS, LABEL[i], LABEL_Y[i], ANY, what theme.gp says
# of MARKS, and the files heat.dat (a matrix: 256 slices by spans), throttled.dat (time, ring),
# borders.dat (time from, ring, time to), use.dat (ring from, ring to, mean and peak in percent of
# the cap).

MARKS_FROM = 0.768
MARKS_TO = 0.794
MARKS_Y = 0.871
top = MARKS > 0 ? 0.764 : 0.79
set multiplot
set tmargin at screen top
set bmargin at screen 0.105
set lmargin at screen 0.085
set rmargin at screen 0.73
set yrange [0:1]
set ytics ('0' 0, '¼' 0.25, '½' 0.5, '¾' 0.75, '1' 1)
set ylabel 'position on the hash ring (of 2⁶⁴)' offset -0.5,0
set xlabel X_LABEL
unset grid
set border 15
set cbrange [HEAT_MIN:HEAT_MAX]
if (HEAT_LOG) {
    set logscale cb
} else {
    set cbtics HEAT_STEP
}
set colorbox horizontal user origin screen 0.50,0.835 size screen 0.23,0.022 noborder
eval "set cbtics offset 0,0.6 font '".FONT(10)."'"
set label 3 UNIT.'/s in 1/256 of the ring' at screen 0.49,0.846 right
if (ANY) {
    set label 4 SIDE.' throttled' at screen 0.095,0.846 left offset 0.5,0 \
        point pointtype 7 pointsize 1.6 * POINT linecolor rgb RED
} else {
    set label 4 'no '.SIDE.' were throttled' at screen 0.085,0.846 left textcolor rgb GREY
}
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb '#440154' linewidth 0
plot 'heat.dat' matrix using (RING_FROM + ($1 + 0.5) * SPAN_S):(($2 + 0.5) / 256):3 \
        with image notitle, \
    'borders.dat' using 1:2:($3 - $1):(0) with vectors nohead linewidth BORDERS \
        dashtype (4,5) \
        linecolor rgb '#30ffffff' notitle, \
    'throttled.dat' using 1:2 with points pointtype 7 \
        pointsize 0.8 * POINT linecolor rgb WHITE notitle, \
    'throttled.dat' using 1:2 with points pointtype 7 \
        pointsize 0.55 * POINT linecolor rgb RED notitle
unset label
unset object 1
unset colorbox
unset logscale cb
if (MARKS > 0) {
    eval LEGEND_MARKS
    eval DRAW_MARKS
    unset label
    set tmargin at screen top
    set bmargin at screen 0.105
    set yrange [0:1]
    unset grid
}

set lmargin at screen 0.785
set rmargin at screen 0.965
unset ylabel
unset ytics
set format x '%g' numeric
set xtics USE_STEP
set xrange [0:USE_MAX]
set xlabel '% of '.CAP.' '.UNIT.'/s'
set border 3
do for [i = 1:LABELS] {
    set label 10 + i LABEL[i] at graph -0.03, first LABEL_Y[i] right font FONT(10)
}
set arrow 1 from 100,0 to 100,1 nohead front linewidth 2 dashtype (10,6) linecolor rgb BLACK
set key at screen 0.785,0.838 left center vertical Left reverse samplen 0.8 maxcols 1
plot 'use.dat' using (0):1:(0):4:1:2 with boxxyerror fillcolor rgb SKY title 'busiest second', \
    'use.dat' using (0):1:(0):3:1:2 with boxxyerror fillcolor rgb BLUE title 'mean'
unset multiplot
