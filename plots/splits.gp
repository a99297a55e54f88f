# splits.gp - The history of the partitions: each a bar from its birth to its split, as high as all
# that came of it.
#
# Reads: ROWS, CAP, UNIT, SIDE, NAMES, NAME[i], NAME_X[i], NAME_Y[i], and the files splits.dat (time
# from, to, row from, to, mean use in percent of the cap) and refused.dat (time of a partition's
# end, row).

set tmargin at screen 0.79
set bmargin at screen 0.105
set lmargin at screen 0.06
set rmargin at screen 0.97
set xrange [X_FROM:X_TO]
set yrange [ROWS:0]
set xlabel X_LABEL
set ylabel 'partitions, in the order of the key space' offset 1,0
unset ytics
unset grid
set border 1
set palette defined (0 '#f7fbff', 25 '#c6dbef', 50 '#6baed6', 80 '#2171b5', 100 '#08306b')
set cbrange [0:100]
set cbtics 25
set colorbox horizontal user origin screen 0.72,0.835 size screen 0.23,0.022 noborder
eval "set cbtics offset 0,0.6 font '".FONT(10)."'"
set label 3 sprintf('mean use in %% of %g %s/s', CAP, UNIT) at screen 0.71,0.846 right
set label 4 'refused '.SIDE at screen 0.07,0.846 left offset 0.5,0 \
    point pointtype 7 pointsize 1.6 * POINT linecolor rgb VERMILLION
do for [i = 1:NAMES] {
    set label 10 + i NAME[i] at first NAME_X[i], first NAME_Y[i] left offset 0.6,0 \
        front font FONT(11) textcolor rgb BLACK boxed
}
set style textbox opaque fillcolor rgb '#ffffff' noborder margins 0.4,0.3
plot 'splits.dat' using 1:3:1:2:3:4:5 with boxxyerror linecolor palette fillstyle solid \
        border rgb '#444444' notitle, \
    'refused.dat' using 1:2 with points pointtype 7 pointsize 1.6 * POINT \
        linecolor rgb VERMILLION notitle
