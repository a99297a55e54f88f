/*
 * Any bytes as a JSON file: what the reader takes is JSON by the grammar of RFC 8259, which is
 * written out here a second time, and the tree that it makes counts itself rightly. A byte order
 * mark may stand before it.
 */
#include "tests/fuzz/input.h"
#include "workloads/document.h"

const char *__lsan_default_suppressions(void);

/* libfyaml 0.7 loses the text of a scalar that a syntax error cuts off (docs/adr/0006). */
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml";
}

/* The grammar; each function steps over what it is named after, or returns false. */
struct json {
    const char *at, *end;
    uint32_t depth;
};

static bool take(struct json *json, const char *any_of) {
    if (json->at == json->end || *json->at == '\0' || strchr(any_of, *json->at) == NULL) {
        return false;
    }
    json->at++;
    return true;
}

static void skip_blanks(struct json *json) {
    while (take(json, " \t\r\n")) {
    }
}

static bool take_word(struct json *json, const char *word) {
    const size_t length = strlen(word);
    if ((size_t)(json->end - json->at) < length || memcmp(json->at, word, length) != 0) {
        return false;
    }
    json->at += length;
    return true;
}

static bool take_digits(struct json *json) {
    const bool any = take(json, "0123456789");
    while (any && take(json, "0123456789")) {
    }
    return any;
}

static bool take_number(struct json *json) {
    (void)take(json, "-");
    if (!take(json, "0") && !take_digits(json)) {
        return false;
    }
    if (take(json, ".") && !take_digits(json)) {
        return false;
    }
    return !take(json, "eE") || ((void)take(json, "+-"), take_digits(json));
}

static bool take_string(struct json *json) {
    if (!take(json, "\"")) {
        return false;
    }
    while (json->at < json->end && (unsigned char)*json->at >= ' ') {
        if (take(json, "\"")) {
            return true;
        }
        if (!take(json, "\\")) {
            json->at++;
            continue;
        }
        if (take(json, "\"\\/bfnrt")) {
            continue;
        }
        if (!take(json, "u")) {
            return false;
        }
        for (int i = 0; i < 4; i++) {
            if (!take(json, "0123456789abcdefABCDEF")) {
                return false;
            }
        }
    }
    return false;
}

static bool take_value(struct json *json);

/* "[ value, value ]", or with keys "{ string: value, … }". */
static bool take_list(struct json *json, const char *close, bool has_keys) {
    skip_blanks(json);
    if (take(json, close)) {
        return true;
    }
    do {
        skip_blanks(json);
        if (has_keys) {
            if (!take_string(json)) {
                return false;
            }
            skip_blanks(json);
            if (!take(json, ":")) {
                return false;
            }
        }
        if (!take_value(json)) {
            return false;
        }
    } while (take(json, ","));
    return take(json, close);
}

static bool take_value(struct json *json) {
    skip_blanks(json);
    bool taken = false;
    if (json->depth++ > DOCUMENT_DEPTH_MAX) {
        return false;
    }
    if (take(json, "{")) {
        taken = take_list(json, "}", true);
    } else if (take(json, "[")) {
        taken = take_list(json, "]", false);
    } else if (json->at < json->end && *json->at == '"') {
        taken = take_string(json);
    } else {
        taken = take_word(json, "true") || take_word(json, "false") || take_word(json, "null") ||
                take_number(json);
    }
    json->depth--;
    skip_blanks(json);
    return taken;
}

static void check_node(const struct document_node *node, uint32_t depth) {
    uint32_t count = 0, size = 1, height = 0;
    SIM_CHECK(depth <= DOCUMENT_DEPTH_MAX && node->tag == NULL);
    SIM_CHECK(node->kind == DOCUMENT_SCALAR ? node->first == NULL : node->text == NULL);
    for (const struct document_node *child = node->first; child != NULL; child = child->next) {
        SIM_CHECK((child->key != NULL) == (node->kind == DOCUMENT_MAPPING));
        SIM_CHECK(child->next != NULL || child == node->last);
        SIM_CHECK(child->key == NULL || document_get(node, child->key) == child);
        check_node(child, depth + 1);
        count++;
        size += child->size;
        height = child->height + 1 > height ? child->height + 1 : height;
    }
    SIM_CHECK(node->child_count == count && node->size == size && node->height == height);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    SIM_CHECK(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const struct document_source source = {
        .file = "fuzz.json", .text = text, .length = size, .is_json = true};
    struct arena arena;
    struct document_node *root;
    struct err err = {.kind = ERR_NONE};
    arena_init(&arena);
    if (document_parse(&arena, &source, &root, &err)) {
        SIM_CHECK(err.kind == ERR_NONE && root != NULL);
        check_node(root, 0);
        const size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        struct json json = {.at = text + mark, .end = text + size};
        SIM_CHECK(take_value(&json) && json.at == json.end);
    } else {
        input_check_refused(&err);
    }
    arena_fini(&arena);
    free(text);
    return 0;
}
