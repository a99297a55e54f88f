# theme.gp - What all pictures share: terminal, fonts, colours, title and finding.
#
# Reads, from values.gp: FORMAT (png svg pdf dumb), COLUMNS and LINES (dumb only), TITLE, FINDING1,
# FINDING2, X_FROM, X_TO, BIN_S, PER_BIN, IS_DENSE (more bins than columns), X_STEP, X_FORMAT,
# X_LABEL. Foreign text is shown as it is: everything is noenhanced.

TERMINAL = FORMAT eq 'dumb'
# The SVG terminal knows pixels only, and spaces lines by its first font: sizes are scaled here.
SCALE = FORMAT eq 'svg' ? 2.1 : 1.0
FONT(points) = sprintf('DejaVu Sans,%g', SCALE * points)
BOLD(points) = sprintf('DejaVu Sans Bold,%g', SCALE * points)
MONO(points) = sprintf('DejaVu Sans Mono,%g', SCALE * points)
set encoding utf8
if (FORMAT eq 'png') {
    set terminal pngcairo noenhanced size 1800,1000 font FONT(12) fontscale 1.6
}
if (FORMAT eq 'svg') {
    set terminal svg noenhanced size 1800,1000 dynamic font FONT(12) \
        background '#ffffff'
}
if (FORMAT eq 'pdf') {
    set terminal pdfcairo noenhanced size 18in,10in font FONT(12) fontscale 1.15
}
if (TERMINAL) {
    set terminal dumb noenhanced mono nofeed size COLUMNS,LINES
}
BARS = IS_DENSE ? 'impulses' : 'steps' # in the terminal: impulses leave no gap between them
set output 'picture'
# A point of the same size to the eye: terminals differ in what they multiply.
POINT = FORMAT eq 'png' ? 1.0 : FORMAT eq 'svg' ? 0.5 : 0.9

# Okabe and Ito's colours: told apart by colour-blind readers, and in grey by their lightness.
BLACK = '#000000'
WHITE = '#ffffff'
ORANGE = '#e69f00'
SKY = '#56b4e9'
GREEN = '#009e73'
YELLOW = '#f0e442'
BLUE = '#0072b2'
VERMILLION = '#d55e00'
PURPLE = '#cc79a7'
RED = '#e41a1c'
GREY = '#666666'
FAINT = '#d8d8d8'

# A colour for each of AWS's reasons: cool = provisioned, warm = key range, green = account,
# purple = on-demand maximum; the lighter of two = reads; indexes are darker.
REASON_TableReadProvisionedThroughputExceeded = SKY
REASON_TableWriteProvisionedThroughputExceeded = BLUE
REASON_TableReadKeyRangeThroughputExceeded = ORANGE
REASON_TableWriteKeyRangeThroughputExceeded = VERMILLION
REASON_TableReadAccountLimitExceeded = '#66c2a5'
REASON_TableWriteAccountLimitExceeded = GREEN
REASON_TableReadMaxOnDemandThroughputExceeded = PURPLE
REASON_TableWriteMaxOnDemandThroughputExceeded = '#994f88'
REASON_IndexReadProvisionedThroughputExceeded = '#2b7fa8'
REASON_IndexWriteProvisionedThroughputExceeded = '#00436b'
REASON_IndexReadKeyRangeThroughputExceeded = '#a87400'
REASON_IndexWriteKeyRangeThroughputExceeded = '#8a3d00'
REASON_IndexReadAccountLimitExceeded = '#2f7d5f'
REASON_IndexWriteAccountLimitExceeded = '#00513b'
REASON_IndexReadMaxOnDemandThroughputExceeded = '#8c4a6e'
REASON_IndexWriteMaxOnDemandThroughputExceeded = '#5c2a4f'
reason_colour(name) = exists('REASON_'.name) ? value('REASON_'.name) : GREY

# viridis: lightness grows evenly, for all kinds of colour vision.
set palette defined (0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', 4 '#26828e', \
    5 '#1f9e89', 6 '#35b779', 7 '#6ece58', 8 '#b5de2b', 9 '#fde725')

# Numbers on an axis: 2,500 · 300 k · 1.2 M. Set Y_MAX and Y_STEP, then `eval COMMA_YTICS`.
commas(x) = x >= 1e9 ? sprintf('%g G', x / 1e9) : x >= 1e6 ? sprintf('%g M', x / 1e6) : \
    x >= 1e5 ? sprintf('%g k', x / 1e3) : \
    x >= 1e3 ? sprintf('%d,%03d', int(x / 1e3), int(x) % 1000) : sprintf('%g', x)
COMMA_YTICS = 'set ytics nomirror ("0" 0); do for [k = 1:int(Y_MAX / Y_STEP)] { ' \
    .'set ytics add (commas(k * Y_STEP) k * Y_STEP) }'

set datafile missing '?'
set style fill solid 1.0 noborder
set border 3 linewidth 1.2 linecolor rgb GREY
set tics nomirror textcolor rgb BLACK
set grid ytics linecolor rgb FAINT linewidth 1
set key textcolor rgb BLACK
if (TERMINAL) {
    unset grid
    set key above left vertical Left reverse samplen 2 maxcols 1
} else {
    unset key
}

set xrange [X_FROM:X_TO]
set xtics X_STEP
set format x X_FORMAT timedate

# Legend of the pictures over time, one row for all panels: what a bin is, which lines there are.
each = BIN_S == 1 ? 'each second' : 'busiest second of each '.PER_BIN
mean_of_minute = BIN_S > 60 ? 'highest one-minute mean' : \
    TERMINAL ? 'one-minute mean' : 'one-minute mean (CloudWatch)'
provisioned = 'provisioned' # what the dashed line is, if has_line
has_line = 1
at_minutes = BIN_S > 1 ? 0.43 : 0.24
LEGEND_BINS = 'set object 1 rectangle from screen 0.085,0.823 to screen 0.105,0.841 ' \
    .'fillcolor rgb SKY fillstyle solid 1.0 noborder; ' \
    .'set label 101 each at screen 0.11,0.832; if (BIN_S > 1) { ' \
    .'set arrow 101 from screen 0.335,0.832 to screen 0.355,0.832 nohead linewidth 2 ' \
    .'linecolor rgb BLUE; set label 102 "mean" at screen 0.36,0.832 }'
LEGEND_MINUTES = 'set arrow 103 from screen at_minutes,0.832 to screen at_minutes + 0.02,0.832 ' \
    .'nohead linewidth 4 linecolor rgb ORANGE; ' \
    .'set label 103 mean_of_minute at screen at_minutes + 0.025,0.832'
LEGEND_PROVISIONED = 'if (strlen(provisioned) > 0) { ' \
    .'if (has_line) { set arrow 104 from screen at_minutes + 0.275,0.832 ' \
    .'to screen at_minutes + 0.295,0.832 nohead linewidth 3 dashtype (5,3) ' \
    .'linecolor rgb BLACK }; ' \
    .'set label 104 provisioned at screen at_minutes + 0.30,0.832 }'

# Marks of what the table did of its own: MARKS kinds, kind i named MARK_TEXT[i] and drawn as kind
# MARK_KIND[i]; marks.dat (time, lane, colour), guides.dat (time, colour) for GUIDES.
array MARK_POINT[5] = [9, 13, 5, 7, 11]
array MARK_COLOUR[5] = ['#994f88', '#009e73', '#000000', '#e41a1c', '#0072b2']
MARKS_LEFT = 0.085
LEGEND_MARKS = 'do for [m = 1:MARKS] { set label 110 + m MARK_TEXT[m] ' \
    .'at screen MARKS_LEFT + (m - 1) * 0.2 + 0.006,MARKS_Y left offset 0.9,0 point ' \
    .'pointtype MARK_POINT[MARK_KIND[m]] pointsize 1.5 * POINT ' \
    .'linecolor rgb MARK_COLOUR[MARK_KIND[m]] }'
# A panel without axes between MARKS_FROM and MARKS_TO; the caller sets its margins anew.
DRAW_MARKS = 'set tmargin at screen MARKS_TO; set bmargin at screen MARKS_FROM; unset border; ' \
    .'unset xtics; unset ytics; unset grid; unset xlabel; unset ylabel; set yrange [0:MARKS]; ' \
    .'plot for [m = 1:MARKS] "marks.dat" using 1:($2 == m ? MARKS - m + 0.5 : NaN) with points ' \
    .'pointtype MARK_POINT[MARK_KIND[m]] pointsize (FORMAT eq "svg" ? 0.9 : 1.2) * POINT ' \
    .'linecolor rgb MARK_COLOUR[MARK_KIND[m]] notitle; ' \
    .'set border 3 linewidth 1.2 linecolor rgb GREY; set xtics X_STEP nomirror; ' \
    .'set tics nomirror textcolor rgb BLACK; ' \
    .'set grid ytics linecolor rgb FAINT linewidth 1'

# Title and finding of the whole picture; in the terminal they are printed above it.
if (!TERMINAL) {
    set label 1 TITLE at screen 0.012,0.971 left font BOLD(15) textcolor rgb BLACK
    set label 2 FINDING1."\n".FINDING2 at screen 0.012,0.933 left font FONT(12) \
        textcolor rgb '#333333'
}
