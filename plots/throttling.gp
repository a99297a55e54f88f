# throttling.gp - Consumed, provisioned and one-minute mean above, refused attempts below.
#
# Reads: SIDES ("writes" or "reads writes"), BIN_S, PER_BIN; for each side UNIT_x, UNITS_MAX_x and
# UNITS_STEP_x, ATTEMPTS_MAX_x and ATTEMPTS_STEP_x, ANY_x (was anything refused), NOTE1_x and
# NOTE2_x at NOTE_T_x, NOTE_Y_x, LINE_x (what the dashed line is; HAS_LINE_x: there is one), FAR_x
# (where it is, if out of sight), what theme.gp says of MARKS, and the files bins-x.dat (time, mean,
# busiest second, provisioned, refused, refused in the worst second, burst), minutes-x.dat (time,
# mean) and line-x.dat (time, level).

if (TERMINAL) {
    side = word(SIDES, 1)
    set multiplot layout 2,1
    set yrange [0:value('UNITS_MAX_'.side)]
    set ylabel value('UNIT_'.side).'/s'
    plot 'bins-'.side.'.dat' using 1:3 with @BARS title each, \
        'line-'.side.'.dat' using 1:2 with steps title value('LINE_'.side), \
        'minutes-'.side.'.dat' using 1:2 with steps title mean_of_minute
    set yrange [0:value('ATTEMPTS_MAX_'.side)]
    set ylabel 'attempts/s'
    plot 'bins-'.side.'.dat' using 1:6 with @BARS title 'throttled '.side
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
    set bmargin at screen 0.40
    Y_MAX = value('UNITS_MAX_'.side)
    Y_STEP = value('UNITS_STEP_'.side)
    set yrange [0:Y_MAX]
    eval COMMA_YTICS
    set format x ''
    unset xlabel
    set label 4 'consumed by '.side.' ('.value('UNIT_'.side).'/s)' \
        at screen left - 0.072, screen 0.60 center rotate
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
        eval LEGEND_MINUTES
        eval LEGEND_PROVISIONED
        if (MARKS > 0) {
            eval LEGEND_MARKS
        }
    }
    if (strlen(value('NOTE1_'.side)) > 0) {
        at = value('NOTE_T_'.side)
        note = value('NOTE1_'.side)."\n".value('NOTE2_'.side)
        if (words(SIDES) > 1) {
            set label 3 note at graph 0.02,0.945 left font FONT(10)
        } else {
            if (at < (X_FROM + X_TO) / 2.0) {
                set label 3 note at first at, graph 0.945 left font FONT(11)
            } else {
                set label 3 note at first at, graph 0.945 right font FONT(11)
            }
        }
        set arrow 1 from first at, graph 0.83 to first at, first value('NOTE_Y_'.side) \
            front filled size screen 0.008,20 linewidth 2 linecolor rgb BLACK
    }
    plot bins using 1:3 with fillsteps fillcolor rgb SKY notitle, \
        for [k = 2:(BIN_S == 1 ? 1 : 2)] bins using 1:k with steps linewidth 2 \
            linecolor rgb BLUE notitle, \
        'minutes-'.side.'.dat' using 1:2 with steps linewidth 5 linecolor rgb WHITE notitle, \
        'minutes-'.side.'.dat' using 1:2 with steps linewidth 3.5 linecolor rgb ORANGE notitle, \
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

    set tmargin at screen 0.345
    set bmargin at screen 0.105
    Y_MAX = value('ATTEMPTS_MAX_'.side)
    Y_STEP = value('ATTEMPTS_STEP_'.side)
    set yrange [0:Y_MAX]
    eval COMMA_YTICS
    set label 4 'throttled (attempts/s)' at screen left - 0.072, screen 0.225 center rotate
    set format x X_FORMAT timedate
    set xlabel X_LABEL
    if (!value('ANY_'.side)) {
        set label 3 'no '.side.' were throttled' at graph 0.5,0.5 center textcolor rgb GREY
    }
    plot bins using 1:6 with fillsteps fillcolor rgb VERMILLION notitle
    unset label
}
unset multiplot
