#define _GNU_SOURCE /* memmem */
#include "workloads/document.h"

#include "sim/check.h"
#include "workloads/document_json.h"

#include <ctype.h>
#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#define SET_UP_BYTES 16384

struct anchor {
    struct anchor *older;
    const char *name;
    struct document_node *node;
    bool is_open; /* its end has not come yet */
};

struct level {
    struct document_node *node;
    struct anchor *anchor;
    const char *key; /* of the value that comes next; NULL: a key comes next */
    struct source_position key_position;
};

struct builder {
    struct arena *arena;
    const struct document_source *source;
    struct err *err;
    struct document_node *root;
    struct level levels[DOCUMENT_DEPTH_MAX];
    uint32_t depth, node_count;
    struct anchor *anchors;
    bool has_document;
    struct source_position position; /* of the latest event that had one */
};

static void discard_output(struct fy_diag *diag, void *user, const char *text, size_t length) {
    (void)diag, (void)user, (void)text, (void)length;
}

static struct source_position position_of(const struct builder *builder,
                                          const struct fy_mark *mark) {
    struct source_position position = builder->position;
    position.file = builder->source->file;
    if (mark != NULL && !builder->source->has_no_lines) {
        position.line = (uint32_t)mark->line + 1;
        position.column = (uint32_t)mark->column + 1;
    }
    return position;
}

#define FAIL(builder, ...) scenario_error((builder)->err, &(builder)->position, __VA_ARGS__)

/* Of a byte of the source, or of its end. */
static struct source_position place_of(const struct document_source *source, size_t offset) {
    struct source_position position = {source->file, 0, 0};
    const size_t last = offset < source->length ? offset : source->length - 1;
    for (size_t i = 0, line = 1, column = 1; i <= last && !source->has_no_lines; i++) {
        unsigned char c = (unsigned char)source->text[i];
        position.line = (uint32_t)line;
        position.column = (uint32_t)column;
        bool is_pair = c == '\r' && i + 1 < source->length && source->text[i + 1] == '\n';
        bool is_line_end = c == '\n' || (c == '\r' && !is_pair);
        line += is_line_end;
        column = is_line_end ? 1 : column + ((c & 0xc0) != 0x80);
    }
    return position;
}

/* Refuses bytes that are no text, at their line and column. */
static bool check_bytes(const struct document_source *source, struct err *err) {
    size_t bad = document_bad_byte(source->text, source->length);
    if (bad == source->length) {
        return true;
    }
    struct source_position position = place_of(source, bad);
    return scenario_error(err, &position, "byte 0x%02x is no text; expected UTF-8",
                          (unsigned)(unsigned char)source->text[bad]);
}

/* Refuses what libfyaml takes for JSON and is none: comments, for example. */
static bool check_json(const struct document_source *source, struct err *err) {
    const char *expected = NULL;
    if (!source->is_json) {
        return true;
    }
    size_t bad = document_json_fault(source->text, source->length, &expected);
    if (expected == NULL) {
        return true;
    }
    struct source_position position = place_of(source, bad);
    return scenario_error(err, &position, "this is not JSON; expected %s", expected);
}

/* Texts can hold any character by an escape such as "\0": only line ends and tabs are taken. */
static char *text_of(struct builder *builder, struct fy_token *token) {
    size_t length = 0;
    const char *text = fy_token_get_text(token, &length);
    if (text == NULL) {
        err_no_memory(builder->err, "document");
        return NULL;
    }
    if (document_bad_byte(text, length) != length) {
        FAIL(builder, "a control character in a text");
        return NULL;
    }
    return arena_strndup(builder->arena, text, length, builder->err);
}

/* "!Sub", "!!int": as the file has it, but for the library's long form of "!!". */
static const char *tag_of(struct builder *builder, struct fy_token *token) {
    static const char standard[] = "tag:yaml.org,2002:";
    char *tag = text_of(builder, token);
    if (tag != NULL && strncmp(tag, standard, sizeof standard - 1) == 0) {
        char *name = tag + sizeof standard - 1;
        memmove(tag + 2, name, strlen(name) + 1);
        memcpy(tag, "!!", 2);
    }
    return tag;
}

static bool count_nodes(struct builder *builder, uint32_t count) {
    if (count > DOCUMENT_NODES_MAX - builder->node_count) {
        return FAIL(builder, "more than %d values (aliases count as what they stand for)",
                    DOCUMENT_NODES_MAX);
    }
    builder->node_count += count;
    return true;
}

/* Hangs a node into the level that is open; a scalar in the place of a key is not a node. */
static bool attach(struct builder *builder, struct document_node *node) {
    if (builder->depth == 0) {
        builder->root = node;
        return true;
    }
    struct level *level = &builder->levels[builder->depth - 1];
    struct document_node *parent = level->node;
    if (parent->kind == DOCUMENT_MAPPING) {
        if (level->key == NULL) {
            return FAIL(builder, "a key must be a text");
        }
        node->key = level->key;
        node->key_position = level->key_position;
        level->key = NULL;
    }
    *(parent->first == NULL ? &parent->first : &parent->last->next) = node;
    parent->last = node;
    parent->child_count++;
    return true;
}

/* A finished node counts in the one above it. */
static void measure(struct builder *builder, const struct document_node *node) {
    if (builder->depth > 0) {
        struct document_node *parent = builder->levels[builder->depth - 1].node;
        parent->size += node->size;
        parent->height = node->height + 1 > parent->height ? node->height + 1 : parent->height;
    }
}

static bool add_anchor(struct builder *builder, struct fy_token *token, struct document_node *node,
                       bool is_open) {
    if (token == NULL) {
        return true;
    }
    const char *name = text_of(builder, token);
    struct anchor *anchor = ARENA_NEW(builder->arena, struct anchor, "anchor", builder->err);
    if (name == NULL || anchor == NULL) {
        return false;
    }
    *anchor = (struct anchor){builder->anchors, name, node, is_open};
    builder->anchors = anchor;
    if (is_open) {
        builder->levels[builder->depth - 1].anchor = anchor;
    }
    return true;
}

static struct document_node *new_node(struct builder *builder, enum document_kind kind,
                                      struct fy_token *tag) {
    if (!count_nodes(builder, 1)) {
        return NULL;
    }
    struct document_node *node =
        document_new(builder->arena, kind, NULL, &builder->position, builder->err);
    if (node == NULL) {
        return NULL;
    }
    node->is_literal = builder->source->is_literal;
    node->set = builder->source->has_no_lines ? builder->source->file : NULL;
    if (tag != NULL) {
        node->tag = tag_of(builder, tag);
        return node->tag == NULL ? NULL : node;
    }
    return node;
}

/* Plain "null", "~" and nothing at all are the absence of a text. */
static bool is_null(struct fy_token *token, const char *text) {
    return fy_token_scalar_style(token) == FYSS_PLAIN &&
           (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

static bool on_key(struct builder *builder, struct level *level, struct fy_event *event) {
    const char *text = event->scalar.value == NULL ? "" : text_of(builder, event->scalar.value);
    if (text == NULL) {
        return false;
    }
    if (text[0] == '\0') {
        return FAIL(builder, "an empty key");
    }
    if (event->scalar.anchor != NULL || event->scalar.tag != NULL) {
        return FAIL(builder, "an anchor or tag on a key is not supported");
    }
    if (strcmp(text, "<<") == 0) {
        return FAIL(builder, "merge keys ('<<') are not supported; write the keys out");
    }
    level->key = text;
    level->key_position = builder->position;
    return true;
}

static bool on_scalar(struct builder *builder, struct fy_event *event) {
    struct level *level = builder->depth == 0 ? NULL : &builder->levels[builder->depth - 1];
    if (level != NULL && level->node->kind == DOCUMENT_MAPPING && level->key == NULL) {
        return on_key(builder, level, event);
    }
    struct document_node *node = new_node(builder, DOCUMENT_SCALAR, event->scalar.tag);
    if (node == NULL) {
        return false;
    }
    if (event->scalar.value != NULL) {
        const char *text = text_of(builder, event->scalar.value);
        if (text == NULL) {
            return false;
        }
        node->text = is_null(event->scalar.value, text) ? NULL : text;
    }
    if (!attach(builder, node) || !add_anchor(builder, event->scalar.anchor, node, false)) {
        return false;
    }
    measure(builder, node);
    return true;
}

static bool on_start(struct builder *builder, enum document_kind kind, struct fy_token *tag,
                     struct fy_token *anchor) {
    if (builder->depth == DOCUMENT_DEPTH_MAX) {
        return FAIL(builder, "more than %d levels", DOCUMENT_DEPTH_MAX);
    }
    struct document_node *node = new_node(builder, kind, tag);
    if (node == NULL || !attach(builder, node)) {
        return false;
    }
    builder->levels[builder->depth++] = (struct level){.node = node};
    return add_anchor(builder, anchor, node, true);
}

static int by_key_and_place(const void *left, const void *right) {
    const struct document_node *a = *(const struct document_node *const *)left;
    const struct document_node *b = *(const struct document_node *const *)right;
    int order = strcmp(a->key, b->key);
    if (order != 0) {
        return order;
    }
    const struct source_position *p = &a->key_position, *q = &b->key_position;
    int lines = (p->line > q->line) - (p->line < q->line);
    return lines != 0 ? lines : (p->column > q->column) - (p->column < q->column);
}

/* The same key twice is refused at the second one. */
static bool check_keys(struct builder *builder, const struct document_node *mapping) {
    if (mapping->child_count < 2) {
        return true;
    }
    const struct document_node **children = malloc(mapping->child_count * sizeof(void *));
    if (children == NULL) {
        return err_no_memory(builder->err, "document");
    }
    size_t count = 0;
    for (const struct document_node *child = mapping->first; child; child = child->next) {
        children[count++] = child;
    }
    qsort(children, count, sizeof(void *), by_key_and_place);
    const struct document_node *twice = NULL, *first = NULL;
    for (size_t i = 1; i < count && twice == NULL; i++) {
        if (strcmp(children[i - 1]->key, children[i]->key) == 0) {
            first = children[i - 1];
            twice = children[i];
        }
    }
    free(children);
    if (twice == NULL) {
        return true;
    }
    if (builder->source->has_no_lines) {
        return scenario_error(builder->err, &twice->key_position, "key '%s' stands twice",
                              twice->key);
    }
    return scenario_error(builder->err, &twice->key_position,
                          "key '%s' stands twice; the first is in line %u", twice->key,
                          first->key_position.line);
}

static bool on_end(struct builder *builder) {
    SIM_CHECK(builder->depth > 0);
    struct level *level = &builder->levels[--builder->depth];
    if (level->node->kind == DOCUMENT_MAPPING && !check_keys(builder, level->node)) {
        return false;
    }
    if (level->anchor != NULL) {
        level->anchor->is_open = false;
    }
    measure(builder, level->node);
    return true;
}

/* A copy of node and what is in it; its depth is bounded by DOCUMENT_DEPTH_MAX. */
static struct document_node *copy_node(struct builder *builder, const struct document_node *node) {
    struct document_node *copy =
        ARENA_NEW(builder->arena, struct document_node, "document", builder->err);
    if (copy == NULL) {
        return NULL;
    }
    *copy = *node;
    copy->next = copy->first = copy->last = NULL;
    for (const struct document_node *child = node->first; child; child = child->next) {
        struct document_node *child_copy = copy_node(builder, child);
        if (child_copy == NULL) {
            return NULL;
        }
        *(copy->first == NULL ? &copy->first : &copy->last->next) = child_copy;
        copy->last = child_copy;
    }
    return copy;
}

static bool on_alias(struct builder *builder, struct fy_event *event) {
    const char *name = text_of(builder, event->alias.anchor);
    if (name == NULL) {
        return false;
    }
    const struct anchor *anchor = builder->anchors;
    while (anchor != NULL && strcmp(anchor->name, name) != 0) {
        anchor = anchor->older;
    }
    if (anchor == NULL) {
        return FAIL(builder, "alias '*%s' has no anchor '&%s' before it", name, name);
    }
    if (anchor->is_open) {
        return FAIL(builder, "alias '*%s' stands inside of its own anchor", name);
    }
    if (builder->depth + anchor->node->height > DOCUMENT_DEPTH_MAX) {
        return FAIL(builder, "alias '*%s' makes more than %d levels", name, DOCUMENT_DEPTH_MAX);
    }
    if (!count_nodes(builder, anchor->node->size)) {
        return false;
    }
    struct document_node *copy = copy_node(builder, anchor->node);
    if (copy == NULL || !attach(builder, copy)) {
        return false;
    }
    measure(builder, copy);
    return true;
}

static bool on_event(struct builder *builder, struct fy_event *event) {
    builder->position = position_of(builder, fy_event_start_mark(event));
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (builder->has_document) {
            return FAIL(builder, "a second document begins; expected one in a file");
        }
        builder->has_document = true;
        return true;
    case FYET_SCALAR: return on_scalar(builder, event);
    case FYET_SEQUENCE_START:
        return on_start(builder, DOCUMENT_SEQUENCE, event->sequence_start.tag,
                        event->sequence_start.anchor);
    case FYET_MAPPING_START:
        return on_start(builder, DOCUMENT_MAPPING, event->mapping_start.tag,
                        event->mapping_start.anchor);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END: return on_end(builder);
    case FYET_ALIAS: return on_alias(builder, event);
    default: return true;
    }
}

/* Whether the complaint may come from a bare ${…}: in [ ] and { } its brace is YAML's. */
static bool has_bare_parameter(const struct builder *builder, const char *message) {
    const char *line = builder->source->text;
    const char *end = line + builder->source->length;
    for (uint32_t i = 1; i < builder->position.line && line != NULL; i++) {
        line = memchr(line, '\n', (size_t)(end - line));
        line = line == NULL ? NULL : line + 1;
    }
    if (strstr(message, "flow") == NULL || line == NULL || line >= end) {
        return false;
    }
    const char *line_end = memchr(line, '\n', (size_t)(end - line));
    size_t bytes = (size_t)((line_end == NULL ? end : line_end) - line);
    return memmem(line, bytes, "${", 2) != NULL;
}

/* The library's first complaint in our words' form: no capital, one line. Out of memory it fails
 * without one. */
static bool fail_with_complaint(struct builder *builder, struct fy_diag *diag) {
    void *iterator = NULL;
    const struct fy_diag_error *complaint = fy_diag_errors_iterate(diag, &iterator);
    if (complaint == NULL && errno == ENOMEM) {
        return err_no_memory(builder->err, "document");
    }
    if (complaint == NULL || complaint->msg == NULL) {
        return FAIL(builder, "cannot be read as %s", builder->source->is_json ? "JSON" : "YAML");
    }
    if (!builder->source->has_no_lines && complaint->line > 0) {
        builder->position.line = (uint32_t)complaint->line;
        builder->position.column = complaint->column > 0 ? (uint32_t)complaint->column : 1;
    }
    const char *message = complaint->msg;
    if (strstr(message, "quoted scalar") != NULL) {
        return FAIL(builder, "a quoted text is not closed, or its next line is not indented");
    }
    int length = (int)strcspn(message, "\r\n");
    bool is_sentence = isupper((unsigned char)message[0]) && !isupper((unsigned char)message[1]);
    return FAIL(builder, "%c%.*s%s", is_sentence ? tolower((unsigned char)message[0]) : message[0],
                length > 0 ? length - 1 : 0, message + (length > 0),
                has_bare_parameter(builder, message)
                    ? "; inside of [ ] and { }, '${…}' must be in quotes"
                    : "");
}

/* Out of memory the library may leave a text out and go on as if nothing was written there: only
 * errno tells. */
static bool run_parser(struct builder *builder, struct fy_parser *parser, struct fy_diag *diag) {
    struct fy_event *event;
    bool built = true;
    errno = 0;
    while (built && (event = fy_parser_parse(parser)) != NULL) {
        built =
            errno == ENOMEM ? err_no_memory(builder->err, "document") : on_event(builder, event);
        fy_parser_event_free(parser, event);
    }
    if (built && errno == ENOMEM) {
        return err_no_memory(builder->err, "document");
    }
    if (built && fy_parser_get_stream_error(parser)) {
        built = fail_with_complaint(builder, diag);
    }
    return built;
}

/* What the setting up of a parser needs, several times over: it crashes when it does not get it. */
static bool has_memory(void) {
    void *volatile room = malloc(SET_UP_BYTES); /* else compilers drop the call */
    free(room);
    return room != NULL;
}

static bool parse(struct builder *builder, const char *text, size_t length) {
    struct fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    diag_config.output_fn = discard_output;
    diag_config.colorize = false;
    struct fy_diag *diag = fy_diag_create(&diag_config);
    if (diag == NULL) {
        return err_no_memory(builder->err, "document");
    }
    fy_diag_set_collect_errors(diag, true);
    unsigned json = builder->source->is_json ? FYPCF_JSON_FORCE : FYPCF_JSON_NONE;
    struct fy_parse_cfg config = {
        .search_path = "",
        .flags = (enum fy_parse_cfg_flags)(FYPCF_QUIET | FYPCF_DISABLE_MMAP_OPT | json),
        .diag = diag,
    };
    struct fy_parser *parser = fy_parser_create(&config);
    bool parsed = parser != NULL && has_memory() && fy_parser_set_string(parser, text, length) == 0;
    parsed = parsed ? run_parser(builder, parser, diag) : err_no_memory(builder->err, "document");
    if (parser != NULL) {
        fy_parser_destroy(parser);
    }
    fy_diag_destroy(diag); /* _unref would leak the collected errors */
    return parsed;
}

static bool is_blank(const char *text, size_t length) {
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) {
        length--;
    }
    return length == 0;
}

static bool fail_empty(const struct source_position *start, struct err *err) {
    return scenario_error(err, start, "there is nothing in it; expected keys and values");
}

bool document_parse(struct arena *arena, const struct document_source *source,
                    struct document_node **root, struct err *err) {
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    struct document_source body = *source;
    if (body.length >= 3 && memcmp(body.text, byte_order_mark, 3) == 0) {
        body.text += 3;
        body.length -= 3;
    }
    struct source_position start = {body.file, body.has_no_lines ? 0 : 1,
                                    body.has_no_lines ? 0 : 1};
    if (body.length > DOCUMENT_BYTES_MAX) {
        return scenario_error(err, &start, "larger than %zu MB", DOCUMENT_BYTES_MAX >> 20);
    }
    if (!check_bytes(&body, err)) {
        return false;
    }
    if (is_blank(body.text, body.length)) {
        return fail_empty(&start, err);
    }
    /* The library is happier with a line end at the end. */
    char *text = arena_alloc(arena, body.length + 1, 1, "document", err);
    if (text == NULL) {
        return false;
    }
    memcpy(text, body.text, body.length);
    bool is_ended = body.length > 0 && text[body.length - 1] == '\n';
    text[body.length] = '\n';
    struct builder builder = {.arena = arena, .source = &body, .err = err, .position = start};
    if (!parse(&builder, text, body.length + !is_ended)) {
        return false;
    }
    if (builder.root == NULL) {
        return fail_empty(&start, err); /* comments only */
    }
    *root = builder.root;
    return check_json(&body, err);
}
