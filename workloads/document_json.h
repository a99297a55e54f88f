/*
 * document_json.h - Whether a text is JSON: the grammar of RFC 8259, and nothing made of it.
 *
 * libfyaml's JSON mode takes comments and some more of YAML; a file that is named JSON is what
 * other tools take for JSON, or it is refused.
 * Source: RFC 8259.  Owns: nothing.  Cost: O(bytes), no memory.
 */
#ifndef DDBSIM_WORKLOADS_DOCUMENT_JSON_H
#define DDBSIM_WORKLOADS_DOCUMENT_JSON_H

#include <stddef.h>

/* The offset from which on text is not one JSON value of at most DOCUMENT_DEPTH_MAX levels, and
 * what was expected there; length and NULL when it is one. */
size_t document_json_fault(const char *text, size_t length, const char **expected);

#endif
