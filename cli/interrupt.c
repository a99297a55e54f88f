#include "cli/interrupt.h"

#include <time.h>

/* Those that would end the program: one that is ignored (nohup, background jobs) stays so. */
static void wanted_signals(sigset_t *set) {
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL) {
            sigaddset(set, signals[i]);
        }
    }
}

void interrupt_block(struct interrupt *interrupt) {
    sigset_t set;
    wanted_signals(&set);
    interrupt->pending = false;
    sigprocmask(SIG_BLOCK, &set, &interrupt->before);
}

bool interrupt_pending(struct interrupt *interrupt) {
    if (interrupt->pending) {
        return true;
    }
    sigset_t set;
    wanted_signals(&set);
    const struct timespec now = {0, 0};
    interrupt->pending = sigtimedwait(&set, NULL, &now) > 0;
    return interrupt->pending;
}

void interrupt_unblock(struct interrupt *interrupt) {
    sigset_t set;
    wanted_signals(&set);
    const struct timespec now = {0, 0};
    while (sigtimedwait(&set, NULL, &now) > 0) {
        interrupt->pending = true;
    }
    sigprocmask(SIG_SETMASK, &interrupt->before, NULL);
}
