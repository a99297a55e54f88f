#include "tests/bench/alternation.h"

#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ALTERNATIONS, sizeof(*values), compare);
    return values[ALTERNATIONS / 2];
}

bool alternation_judge(struct alternation *alternation, double ratio_max) {
    double ours = median(alternation->ours);
    double theirs = median(alternation->theirs);
    double ratio = ours / theirs;
    printf("%s: median %.1f against %.1f %s, ratio %.3f (at most %.3f): %.2f times as fast\n",
           alternation->name, ours, theirs, alternation->unit, ratio, ratio_max, 1 / ratio);
    return ratio <= ratio_max;
}
