#include "cli/command.h"

#include <signal.h>

int main(int argc, char **argv) {
    /* A closed pipe is a failed write like any other: a message and an exit status. */
    signal(SIGPIPE, SIG_IGN);
    return command_main(argc, argv);
}
