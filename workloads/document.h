/*
 * document.h - A YAML or JSON file as a tree of texts with their places; the only user of libfyaml.
 *
 * libfyaml 0.7 gives events with marks; the tree is ours, because the library has three traps: it
 * loops for ever on some bytes that are not UTF-8 (so the text is checked first), its caret printer
 * reads beyond the buffer (so its errors are collected, never printed), and it expands aliases
 * without bound (so they are copied here, counted). Refused as well: NUL, control characters, a
 * second document, merge keys, keys that are no text, the same key twice, more than the limits
 * below.
 *
 * Scalars stay text: "no" is no boolean, 010 is no octal number. Aliases are copies.
 * Owns: nothing; nodes and texts are in the caller's arena.
 * Cost: O(bytes), about 150 bytes a node.
 */
#ifndef DDBSIM_WORKLOADS_DOCUMENT_H
#define DDBSIM_WORKLOADS_DOCUMENT_H

#include "sim/arena.h"
#include "sim/err.h"
#include "workloads/scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOCUMENT_BYTES_MAX ((size_t)16 << 20)
#define DOCUMENT_NODES_MAX 500000 /* copies for aliases included */
#define DOCUMENT_DEPTH_MAX 64

enum document_kind { DOCUMENT_SCALAR, DOCUMENT_SEQUENCE, DOCUMENT_MAPPING };

struct document_node {
    enum document_kind kind;
    bool is_literal;  /* ${…} in it is not the scenario's (a table's file) */
    const char *text; /* SCALAR; NULL: nothing is written there */
    const char *tag;  /* "!Sub"; NULL: none */
    const char *key;  /* in a mapping */
    const char *set;  /* "--set PATH=VALUE" that the text comes from, or NULL */
    struct source_position position, key_position;
    const struct text_splice *splices; /* of the text, once the reader has put parameters in */
    struct document_node *first, *last, *next; /* children, in the order of the file */
    uint32_t child_count;
    uint32_t height, size; /* levels below it; nodes in it, itself included */
};

/* What to parse: the text, and how to name its place. */
struct document_source {
    const char *file; /* for messages; kept by reference */
    const char *text;
    size_t length;
    bool is_json;      /* strict JSON instead of YAML */
    bool is_literal;   /* see document_node */
    bool has_no_lines; /* not a file: positions carry no line */
};

/* Parses; *root is never NULL on success. A fault of the text is one sentence with its place. */
bool document_parse(struct arena *arena, const struct document_source *source,
                    struct document_node **root, struct err *err) ERR_WARN_UNUSED;

/* Reads a regular file of at most DOCUMENT_BYTES_MAX, NUL-terminated. Errors are ERR_IO. */
bool document_load(struct arena *arena, const char *path, const char **text, size_t *length,
                   struct err *err) ERR_WARN_UNUSED;

/* Whether path's name ends in ".json". */
bool document_is_json(const char *path);

/* The value of key in a mapping, or NULL. O(children). */
struct document_node *document_get(const struct document_node *mapping, const char *key);

/* A node of its own: a scalar (text) or an empty mapping (text NULL). NULL on no memory. */
struct document_node *document_new(struct arena *arena, enum document_kind kind, const char *text,
                                   const struct source_position *position, struct err *err);
/* Puts child under key, replacing what is there. */
void document_put(struct document_node *mapping, const char *key, struct document_node *child);
/* Puts what is in above over below: mappings key by key, the rest whole. Moves above's nodes. */
void document_put_over(struct document_node *below, struct document_node *above);
/* Takes key out; nothing when it is not there. */
void document_remove(struct document_node *mapping, const char *key);

/* The first byte of text that is not plain UTF-8 text (NUL, control character, broken sequence):
 * its offset, or length when all is well. */
size_t document_bad_byte(const char *text, size_t length);

#endif
