#include "workloads/reader.h"

#include "workloads/spelling.h"

#include <string.h>

/* A text that grows in the arena; doubling, bounded by READER_TEXT_BYTES_MAX. */
struct output {
    char *text;
    size_t length, capacity;
};

/* What is substituted: where it stands, and where from --set some of it came. */
struct piece {
    const char *text;
    struct source_position position;
    const char *set;
    const struct text_splice **last_splice; /* where the next one is linked in */
};

static bool append(struct reader *reader, const struct piece *piece, struct output *output,
                   const char *text, size_t length) {
    if (length > READER_TEXT_BYTES_MAX - output->length) {
        return scenario_error(reader->err, &piece->position,
                              "the text is longer than %d bytes after substitution",
                              READER_TEXT_BYTES_MAX);
    }
    size_t needed = output->length + length + 1;
    if (needed > output->capacity) {
        size_t capacity = needed * 2;
        char *wider = arena_alloc(reader->arena, capacity, 1, "text", reader->err);
        if (wider == NULL) {
            return false;
        }
        if (output->length > 0) {
            memcpy(wider, output->text, output->length);
        }
        output->text = wider;
        output->capacity = capacity;
    }
    memcpy(output->text + output->length, text, length);
    output->length += length;
    output->text[output->length] = '\0';
    return true;
}

/* Where the byte at offset stands, as far as the text is one line of the file without escapes. */
static struct source_position position_at(const struct piece *piece, size_t offset) {
    struct source_position position = piece->position;
    for (size_t i = 0; i < offset && position.line != 0; i++) {
        position.column += ((unsigned char)piece->text[i] & 0xc0) != 0x80;
    }
    return position;
}

static bool fail_unresolved(struct reader *reader, const struct source_position *position,
                            const char *name) {
    const char **names =
        ARENA_ARRAY(reader->arena, const char *, reader->parameter_count + 1, "names", reader->err);
    if (names == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < reader->parameter_count; i++) {
        names[i] = reader->parameters[i].name;
    }
    const char *nearest = spelling_nearest(name, names, reader->parameter_count);
    const char *shown = reader_shown(reader, name);
    if (nearest == NULL) {
        return scenario_error(reader->err, position, "'${%s}' is no parameter%s", shown,
                              reader->is_in_parameters ? " that stands before this one" : "");
    }
    return scenario_error(reader->err, position, "'${%s}' is no parameter; did you mean '${%s}'?",
                          shown, nearest);
}

static bool append_parameter(struct reader *reader, struct piece *piece, struct output *output,
                             const char *name, size_t offset) {
    for (uint32_t i = 0; i < reader->parameter_count; i++) {
        const struct scenario_parameter *parameter = &reader->parameters[i];
        if (strcmp(parameter->name, name) == 0) {
            reader->parameter_is_used[i] = true;
            if (strcmp(parameter->source, "--set") == 0) {
                piece->set = parameter->position.file;
            }
            return append(reader, piece, output, parameter->value, strlen(parameter->value));
        }
    }
    struct source_position position = position_at(piece, offset);
    return fail_unresolved(reader, &position, name);
}

/* Notes that what was appended since begin stands for written_bytes of the file. */
static bool note_splice(struct reader *reader, struct piece *piece, const struct output *output,
                        size_t begin, size_t written_bytes) {
    struct text_splice *splice = ARENA_NEW(reader->arena, struct text_splice, "text", reader->err);
    if (splice == NULL) {
        return false;
    }
    *splice = (struct text_splice){
        .at = begin, .bytes = output->length - begin, .written_bytes = (uint32_t)written_bytes};
    *piece->last_splice = splice;
    piece->last_splice = &splice->next;
    return true;
}

/* Replaces each ${name}; *text stays the same pointer when there is none. */
static bool substitute(struct reader *reader, struct piece *piece, const char **text) {
    struct output output = {0};
    const char *rest = piece->text, *open;
    *text = piece->text;
    while ((open = strstr(rest, "${")) != NULL) {
        size_t offset = (size_t)(open - piece->text);
        const char *close = strchr(open, '}');
        if (close == NULL) {
            struct source_position position = position_at(piece, offset);
            return scenario_error(reader->err, &position, "'${' without '}'");
        }
        char *name =
            arena_strndup(reader->arena, open + 2, (size_t)(close - open) - 2, reader->err);
        if (name == NULL || !append(reader, piece, &output, rest, (size_t)(open - rest))) {
            return false;
        }
        const size_t begin = output.length;
        rest = close + 1;
        if (!append_parameter(reader, piece, &output, name, offset) ||
            !note_splice(reader, piece, &output, begin, (size_t)(rest - open))) {
            return false;
        }
    }
    if (rest == piece->text) {
        return true;
    }
    if (!append(reader, piece, &output, rest, strlen(rest))) {
        return false;
    }
    *text = output.text;
    return true;
}

/* CloudFormation's short forms in an inline table: !Ref NAME is ${NAME}, !Sub is what happens
 * anyway. */
static bool apply_tag(struct reader *reader, struct document_node *node) {
    if (strcmp(node->tag, "!Sub") == 0) {
        node->tag = NULL;
        return true;
    }
    if (strcmp(node->tag, "!Ref") != 0) {
        return reader_fail(reader, node, "tag '%s' is not supported",
                           reader_shown(reader, node->tag));
    }
    size_t length = strlen(node->text);
    char *reference = arena_alloc(reader->arena, length + sizeof "${}", 1, "text", reader->err);
    if (reference == NULL) {
        return false;
    }
    memcpy(reference, "${", 2);
    memcpy(reference + 2, node->text, length);
    memcpy(reference + 2 + length, "}", 2);
    node->text = reference;
    node->tag = NULL;
    return true;
}

bool reader_text(struct reader *reader, struct document_node *node, const char **value) {
    return node == NULL ||
           (reader_scalar(reader, node, value) && reader_asks(reader, node, READER_TEXT, NULL));
}

bool reader_scalar(struct reader *reader, struct document_node *node, const char **value) {
    if (node->kind != DOCUMENT_SCALAR || node->text == NULL) {
        return reader_fail_expected(reader, node, "a text");
    }
    if (node->tag != NULL && !apply_tag(reader, node)) {
        return false;
    }
    if (!node->is_literal) {
        struct piece piece = {node->text, node->position, node->set, &node->splices};
        if (!substitute(reader, &piece, &node->text)) {
            return false;
        }
        node->set = piece.set;
        node->is_literal = true; /* once: what a parameter brings in is not looked at again */
    }
    *value = node->text;
    return true;
}

bool reader_key(struct reader *reader, struct document_node *node, const char **value) {
    const struct text_splice *splices = NULL; /* a key is pointed at as a whole */
    struct piece piece = {node->key, node->key_position, node->set, &splices};
    return substitute(reader, &piece, value);
}
