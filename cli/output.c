#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool output_flush(struct err *err) {
    errno = 0;
    const bool flushed = fflush(stdout) == 0;
    const int reason = errno;
    if (flushed && !ferror(stdout)) {
        return true;
    }
    return err_set(err, ERR_IO, "cannot write to standard output%s%s", reason == 0 ? "" : ": ",
                   reason == 0 ? "" : strerror(reason));
}
