/*
 * interrupt.h - SIGINT, SIGTERM and SIGHUP as a question instead of a sudden end.
 *
 * The signals are blocked and asked for between two simulated seconds, so that the temporary
 * database goes away and no handler needs a global. Owns: the saved signal mask.  Cost of asking:
 * one system call.
 */
#ifndef DDBSIM_CLI_INTERRUPT_H
#define DDBSIM_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

struct interrupt {
    sigset_t before;
    bool pending; /* asked for and found */
};

void interrupt_block(struct interrupt *interrupt);
/* Whether one of them has come since interrupt_block; it stays so. */
bool interrupt_pending(struct interrupt *interrupt);
/* Takes what is pending and restores the mask. */
void interrupt_unblock(struct interrupt *interrupt);

#endif
