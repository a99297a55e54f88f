/*
 * report_sweep.h - The part of a report's page that shows a sweep: its points and their pictures.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_CLI_REPORT_SWEEP_H
#define DDBSIM_CLI_REPORT_SWEEP_H

#include "cli/report_page.h"

/* Of a database that holds a sweep. As report_page_write. */
enum exit_status report_sweep_write(const struct report_page *page, struct err *err);

#endif
