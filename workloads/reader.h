/*
 * reader.h - From nodes of a document to typed values: ${…} substitution, kinds, ranges, keys.
 *
 * Each function reads one node, or leaves *value as it is when the node is NULL (a key that the
 * file does not have), and returns false with the message set at the node's place. Substitution
 * comes first: "${shards}" is a number when the parameter's text is one. A text that came from
 * --set is named so.
 *
 * Owns: nothing; texts are in the arena.  Cost: O(length of the text).
 */
#ifndef DDBSIM_WORKLOADS_READER_H
#define DDBSIM_WORKLOADS_READER_H

#include "sim/arena.h"
#include "sim/clock.h"
#include "sim/err.h"
#include "workloads/document.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READER_TEXT_BYTES_MAX 65536 /* of a text after substitution */
#define READER_NAME_BYTES_MAX 64

struct reader_note;

/* What was asked of a value, as bits. */
enum reader_kind {
    READER_TEXT = 1,
    READER_COUNT = 2,
    READER_NUMBER = 4,
    READER_DURATION = 8,
    READER_BYTES = 16,
    READER_BOOL = 32,
    READER_WORD = 64,
    READER_LIST = 128,
    READER_MAPPING = 256,
    READER_NULL = 512,
};

/* One question to the reader; noted when somebody wants to learn the language from them
 * (scenario_schema.h). */
struct reader_question {
    const struct reader_question *older;
    const struct document_node *node;
    enum reader_kind kind;
    const char *const *words; /* WORD: the words; MAPPING: the keys, NULL: any; ends with NULL */
    const char *required;     /* MAPPING: a key that must be there, or NULL */
    const char *file;         /* the scenario's */
};

struct reader {
    struct arena *arena;
    struct err *err;
    struct scenario_parameter *parameters;
    bool *parameter_is_used;
    uint32_t parameter_count;
    bool is_in_parameters; /* their values may use those before them */
    struct reader_note *newest_note;
    uint32_t note_count;
    const struct scenario_file *newest_file;
    bool notes_questions;
    const char *file; /* the scenario's */
    const struct reader_question *newest_question;
    int64_t start_epoch_s; /* of the scenario, once its head is read, as is: */
    sim_ns duration_ns;    /* negative: not given */
};

/* The keys of a mapping: those of this version, and those of the coming grammar, which are refused
 * as "not supported yet". Both end with NULL; later may be NULL. */
struct reader_keys {
    const char *const *known;
    const char *const *later;
};

/* "file:line:col: …" at the node's value; always false. */
bool reader_fail(struct reader *reader, const struct document_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same at the node's key. */
bool reader_fail_key(struct reader *reader, const struct document_node *node, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));
/* The same at the node's value, for a file that cannot be read: ERR_IO. */
bool reader_fail_io(struct reader *reader, const struct document_node *node, const char *message);
/* "'key' must be <expected>, got <what is there>". */
bool reader_fail_expected(struct reader *reader, const struct document_node *node,
                          const char *expected);
/* "<what> '<word>' is not supported yet", or "unknown <what> '<word>'; did you mean '…'?", or
 * "…; expected a, b or c". */
bool reader_fail_word(struct reader *reader, const struct source_position *position,
                      const char *what, const char *word, const struct reader_keys *words);
/* text as a message shows it: one line, at most about 60 bytes. */
const char *reader_shown(struct reader *reader, const char *text);

/* "file:line:col: …" into the scenario's notes. */
bool reader_note(struct reader *reader, const struct source_position *position, const char *format,
                 ...) __attribute__((format(printf, 3, 4)));
/* All notes, oldest first; NULL on no memory. */
const char *const *reader_notes(struct reader *reader);

/* A file that the scenario reads: name, put into folder ("" or ending in '/') unless it is
 * absolute; kept among the scenario's files. NULL on no memory. */
const char *reader_path(struct reader *reader, const char *folder, const char *name);

/* Notes, when questions are noted, that the keys of a mapping are these; for who checks them by
 * other means than reader_mapping. */
bool reader_asks(struct reader *reader, const struct document_node *node, enum reader_kind kind,
                 const char *const *words);

/* A mapping whose keys are all known; a sequence. keys NULL: any. */
bool reader_mapping(struct reader *reader, const struct document_node *node,
                    const struct reader_keys *keys);
bool reader_sequence(struct reader *reader, const struct document_node *node);
/* The value of key, which must be there and not empty. */
bool reader_require(struct reader *reader, const struct document_node *mapping, const char *key,
                    struct document_node **value);

/* A word or a mapping, which the caller reads; nothing there and a list are neither: "must be
 * <expected>". */
bool reader_word_or_mapping(struct reader *reader, const struct document_node *node,
                            const char *expected);

/* A text that is not absent, ${…} substituted. */
bool reader_text(struct reader *reader, struct document_node *node, const char **value);
/* The same of a node that is there, for who says what it is to be. */
bool reader_scalar(struct reader *reader, struct document_node *node, const char **value);
/* A node's key, ${…} substituted. */
bool reader_key(struct reader *reader, struct document_node *node, const char **value);
/* A name for paths and templates: letters, digits, '_', '-' if dash_allowed; no digit first. */
bool reader_name(struct reader *reader, struct document_node *node, bool dash_allowed,
                 const char **value);
bool reader_is_name(const char *text, bool dash_allowed);
/* Bounds are inclusive. */
bool reader_count(struct reader *reader, struct document_node *node, int64_t min, int64_t max,
                  int64_t *value);
bool reader_number(struct reader *reader, struct document_node *node, double min, double max,
                   double *value);
bool reader_duration(struct reader *reader, struct document_node *node, sim_ns min, sim_ns max,
                     sim_ns *value);
bool reader_bytes(struct reader *reader, struct document_node *node, int64_t min, int64_t max,
                  int64_t *value);
bool reader_bool(struct reader *reader, struct document_node *node, bool *value);
/* One of words->known: *value is its position. */
bool reader_word(struct reader *reader, struct document_node *node, const struct reader_keys *words,
                 uint32_t *value);

#endif
