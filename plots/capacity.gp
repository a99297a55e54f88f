# capacity.gp - Consumed against provisioned capacity above, burst that is left below.
#
# Reads what throttling.gp reads, but for the notes, and HAS_BURST_x, BURST_MAX_x and BURST_STEP_x;
# column 7 of bins-x.dat is the smallest burst level of the bin. IS_BEHIND_x: column 8, what an
# index is behind by at most (buffer and debt), stands in its place.

if (TERMINAL) {
    side = word(SIDES, 1)
    set multiplot layout 2,1
    set yrange [0:value('UNITS_MAX_'.side)]
    set ylabel value('UNIT_'.side).'/s'
    plot 'bins-'.side.'.dat' using 1:3 with @BARS title each, \
        'line-'.side.'.dat' using 1:2 with steps title value('LINE_'.side)
    set yrange [0:value('BURST_MAX_'.side)]
    set ylabel value('UNIT_'.side)
    plot 'bins-'.side.'.dat' using 1:(column(value('IS_BEHIND_'.side) ? 8 : 7)) with @BARS \
        title (value('IS_BEHIND_'.side) ? 'index behind by' : 'burst left for '.side)
    unset multiplot
    exit
}

MARKS_FROM = 0.789
MARKS_TO = 0.815
MARKS_Y = 0.860
set multiplot
do for [i = 1:words(SIDES)] {
    side = word(SIDES, i)
    bins = 'bins-'.side.'.dat'
    left = 0.085 + (i - 1) * 0.49
    set lmargin at screen left
    set rmargin at screen (words(SIDES) == 1 ? 0.965 : left + 0.39)

    set tmargin at screen 0.785
    set bmargin at screen 0.455
    Y_MAX = value('UNITS_MAX_'.side)
    Y_STEP = value('UNITS_STEP_'.side)
    set yrange [0:Y_MAX]
    eval COMMA_YTICS
    set format x ''
    unset xlabel
    set label 4 'consumed by '.side.' ('.value('UNIT_'.side).'/s)' \
        at screen left - 0.072, screen 0.625 center rotate
    far = value('FAR_'.side)
    if (i == 1) {
        provisioned = value('LINE_'.side)
        has_line = value('HAS_LINE_'.side)
    }
    if (words(SIDES) == 1 && strlen(far) > 0) {
        provisioned = far
    }
    if (words(SIDES) > 1 && strlen(far) > 0) {
        set label 5 '↑ '.far at graph 1,1.03 right font FONT(10)
    }
    if (i == 1) {
        eval LEGEND_BINS
        eval LEGEND_PROVISIONED
        if (MARKS > 0) {
            eval LEGEND_MARKS
        }
    }
    plot bins using 1:3 with fillsteps fillcolor rgb SKY notitle, \
        for [k = 2:(BIN_S == 1 ? 1 : 2)] bins using 1:k with steps linewidth 2 \
            linecolor rgb BLUE notitle, \
        'line-'.side.'.dat' using 1:2 with steps linewidth 3 dashtype (10,6) \
            linecolor rgb BLACK notitle, \
        for [g = 1:GUIDES] 'guides.dat' using 1:(0):(0):(Y_MAX):2 with vectors nohead \
            linewidth 1.5 dashtype (3,5) linecolor rgb variable notitle
    unset label
    unset arrow
    unset object
    if (MARKS > 0) {
        eval DRAW_MARKS
    }

    set tmargin at screen 0.40
    set bmargin at screen 0.105
    Y_MAX = value('BURST_MAX_'.side)
    Y_STEP = value('BURST_STEP_'.side)
    set yrange [0:Y_MAX]
    eval COMMA_YTICS
    behind = value('IS_BEHIND_'.side)
    set label 4 (behind ? 'index behind by (' : 'burst left (').value('UNIT_'.side).')' \
        at screen left - 0.072, screen 0.2525 center rotate
    set format x X_FORMAT timedate
    set xlabel X_LABEL
    if (!value('HAS_BURST_'.side)) {
        set label 3 'nothing is saved here: not provisioned' at graph 0.5,0.5 center \
            textcolor rgb GREY
    }
    shown = behind ? 8 : 7
    plot bins using 1:shown with fillsteps fillcolor rgb (behind ? '#f6b7a9' : '#8fcdb9') notitle, \
        bins using 1:shown with steps linewidth 2 linecolor rgb (behind ? RED : GREEN) notitle
    unset label
}
unset multiplot
