/*
 * shell_text.h - Words of a command as a POSIX shell reads them.
 */
#ifndef DDBSIM_CLI_SHELL_TEXT_H
#define DDBSIM_CLI_SHELL_TEXT_H

#include <stdio.h>

/* Prints text as one word: as it is when no character of it means anything to a shell, else in
 * single quotes. Any text but for a NUL, the empty one too. */
void shell_text_word(FILE *out, const char *text);

/* The same within a word that is in single quotes and becomes a command in its turn. */
void shell_text_nested(FILE *out, const char *text);

#endif
