#include "cli/command.h"

#include <gsl/gsl_errno.h>
#include <signal.h>

int main(int argc, char **argv) {
    /* A closed pipe and a file that may not grow are failed writes like any other: a message and an
     * exit status, with nothing left behind. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    (void)gsl_set_error_handler_off(); /* GSL's own would abort: its calls answer for themselves */
    return command_main(argc, argv);
}
