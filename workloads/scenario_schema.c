#include "workloads/scenario_schema.h"

#include "sim/check.h"
#include "workloads/scenario_parts.h"

#include <string.h>

#define TEXT_BYTES_MIN 65536

/* A value's place, over all scenarios: what was asked of it. */
struct schema_node {
    const char *key; /* of a property */
    struct schema_node *next;
    uint32_t kinds;
    struct schema_word *words;
    struct schema_node *properties, *last_property, *additional, *items;
    bool is_closed;                    /* no other keys than its properties */
    uint32_t mappings, seen, required; /* of a mapping: how many; of a property: in how many */
};

struct schema_word {
    const char *text;
    struct schema_word *next;
};

static struct schema_node *new_node(struct scenario_schema *schema, struct err *err) {
    struct schema_node *node = ARENA_NEW(&schema->arena, struct schema_node, "schema", err);
    if (node != NULL) {
        *node = (struct schema_node){.kinds = 0};
    }
    return node;
}

bool scenario_schema_init(struct scenario_schema *schema, struct err *err) {
    *schema = (struct scenario_schema){.root = NULL};
    arena_init(&schema->arena);
    schema->root = new_node(schema, err);
    return schema->root != NULL;
}

void scenario_schema_fini(struct scenario_schema *schema) {
    arena_fini(&schema->arena);
    *schema = (struct scenario_schema){.root = NULL};
}

static struct schema_node *property(struct scenario_schema *schema, struct schema_node *node,
                                    const char *key, struct err *err) {
    for (struct schema_node *each = node->properties; each != NULL; each = each->next) {
        if (strcmp(each->key, key) == 0) {
            return each;
        }
    }
    struct schema_node *made = new_node(schema, err);
    char *copy = arena_strdup(&schema->arena, key, err);
    if (made == NULL || copy == NULL) {
        return NULL;
    }
    made->key = copy;
    *(node->properties == NULL ? &node->properties : &node->last_property->next) = made;
    node->last_property = made;
    return made;
}

static bool add_word(struct scenario_schema *schema, struct schema_node *node, const char *text,
                     struct err *err) {
    struct schema_word **at = &node->words;
    for (; *at != NULL; at = &(*at)->next) {
        if (strcmp((*at)->text, text) == 0) {
            return true;
        }
    }
    struct schema_word *word = ARENA_NEW(&schema->arena, struct schema_word, "schema", err);
    char *copy = arena_strdup(&schema->arena, text, err);
    if (word == NULL || copy == NULL) {
        return false;
    }
    *word = (struct schema_word){.text = copy};
    *at = word;
    return true;
}

/* What TableFrom brings in does not stand in the scenario, so it is not required there. */
static bool stands_in(const struct reader_question *question, const struct document_node *value) {
    const struct document_node *mapping = question->node;
    const char *file = question->file;
    return value != NULL && strcmp(mapping->position.file, file) == 0 &&
           strcmp(value->position.file, file) == 0;
}

/* What one question to the reader says about a place. */
static bool learn_question(struct scenario_schema *schema, struct schema_node *node,
                           const struct reader_question *question, struct err *err) {
    node->kinds |= question->kind;
    if (question->required != NULL) {
        const struct document_node *value = document_get(question->node, question->required);
        struct schema_node *of = property(schema, node, question->required, err);
        if (of == NULL) {
            return false;
        }
        of->required += stands_in(question, value);
    }
    node->is_closed |= question->kind == READER_MAPPING && question->words != NULL;
    for (size_t i = 0; question->words != NULL && question->words[i] != NULL; i++) {
        if (question->kind == READER_WORD
                ? !add_word(schema, node, question->words[i], err)
                : property(schema, node, question->words[i], err) == NULL) {
            return false;
        }
    }
    return true;
}

static bool learn(struct scenario_schema *schema, struct schema_node *node,
                  const struct document_node *value, const struct reader_question *newest,
                  struct err *err);

/* Where a child's value is learnt. */
static struct schema_node *place_of(struct scenario_schema *schema, struct schema_node *node,
                                    const struct document_node *value,
                                    const struct document_node *child, struct err *err) {
    if (value->kind == DOCUMENT_MAPPING && node->is_closed) {
        return property(schema, node, child->key, err);
    }
    struct schema_node **place = value->kind == DOCUMENT_MAPPING ? &node->additional : &node->items;
    if (*place == NULL) {
        *place = new_node(schema, err);
    }
    return *place;
}

static bool learn(struct scenario_schema *schema, struct schema_node *node,
                  const struct document_node *value, const struct reader_question *newest,
                  struct err *err) {
    bool asked = false;
    for (const struct reader_question *each = newest; each != NULL; each = each->older) {
        if (each->node == value) {
            asked = true;
            if (!learn_question(schema, node, each, err)) {
                return false;
            }
        }
    }
    if (!asked) {
        return true; /* nobody has read it, or looked below it */
    }
    node->mappings += value->kind == DOCUMENT_MAPPING;
    for (const struct document_node *child = value->first; child != NULL; child = child->next) {
        struct schema_node *of = place_of(schema, node, value, child, err);
        if (of == NULL || !learn(schema, of, child, newest, err)) {
            return false;
        }
    }
    return true;
}

bool scenario_schema_learn(struct scenario_schema *schema, const char *path, const char *text,
                           size_t length, struct err *err) {
    struct scenario scenario;
    struct scenario_questions questions;
    const bool learnt = scenario_read_asked(&scenario, path, text, length, &questions, err) &&
                        learn(schema, schema->root, questions.root, questions.newest, err);
    scenario_fini(&scenario);
    return learnt;
}

/* The JSON text, in the arena; it doubles. */
struct output {
    struct scenario_schema *schema;
    struct err *err;
    char *text;
    size_t length, capacity;
    bool failed;
};

static void put(struct output *output, const char *text) {
    const size_t bytes = strlen(text);
    if (output->length + bytes + 1 > output->capacity) {
        const size_t capacity = 2 * (output->capacity + bytes) + TEXT_BYTES_MIN;
        char *wider = arena_alloc(&output->schema->arena, capacity, 1, "schema", output->err);
        if (wider == NULL) {
            output->failed = true;
            return;
        }
        if (output->length > 0) {
            memcpy(wider, output->text, output->length);
        }
        output->text = wider;
        output->capacity = capacity;
    }
    memcpy(output->text + output->length, text, bytes + 1);
    output->length += bytes;
}

/* Keys and words of the readers are plain names: nothing in them needs an escape. */
static void put_quoted(struct output *output, const char *text) {
    SIM_CHECK(strpbrk(text, "\"\\") == NULL);
    put(output, "\"");
    put(output, text);
    put(output, "\"");
}

static void put_node(struct output *output, const struct schema_node *node);

static void put_object(struct output *output, const struct schema_node *node) {
    const char *between = "";
    put(output, "{\"type\":\"object\",\"properties\":{");
    for (const struct schema_node *each = node->properties; each != NULL; each = each->next) {
        put(output, between);
        put_quoted(output, each->key);
        put(output, ":");
        put_node(output, each);
        between = ",\n";
    }
    put(output, "},\"required\":[");
    between = "";
    for (const struct schema_node *each = node->properties; each != NULL; each = each->next) {
        if (each->required > 0 && each->required >= node->mappings) {
            put(output, between);
            put_quoted(output, each->key);
            between = ",";
        }
    }
    put(output, "],\"additionalProperties\":");
    if (node->is_closed) {
        put(output, "false");
    } else if (node->additional != NULL) {
        put_node(output, node->additional);
    } else {
        put(output, "true");
    }
    put(output, "}");
}

static void put_words(struct output *output, const struct schema_node *node) {
    put(output, "{\"enum\":[");
    for (const struct schema_word *word = node->words; word != NULL; word = word->next) {
        put_quoted(output, word->text);
        put(output, word->next == NULL ? "" : ",");
    }
    put(output, "]},{\"$ref\":\"#/$defs/parameter\"}");
}

/* One of the forms that a value has; separated from those before. */
static void put_form(struct output *output, const struct schema_node *node, uint32_t kind,
                     const char **between) {
    static const struct {
        uint32_t kind;
        const char *schema;
    } rows[] = {
        {READER_TEXT, "{\"type\":[\"string\",\"number\",\"boolean\"]}"},
        {READER_COUNT, "{\"$ref\":\"#/$defs/number\"}"},
        {READER_NUMBER, "{\"$ref\":\"#/$defs/number\"}"},
        {READER_DURATION, "{\"$ref\":\"#/$defs/duration\"}"},
        {READER_BYTES, "{\"$ref\":\"#/$defs/size\"}"},
        {READER_NULL, "{\"type\":\"null\"}"},
        {READER_BOOL, "{\"type\":\"boolean\"},{\"$ref\":\"#/$defs/parameter\"}"},
    };
    put(output, *between);
    *between = ",";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].kind == kind) {
            put(output, rows[i].schema);
        }
    }
    if (kind == READER_WORD) {
        put_words(output, node);
    } else if (kind == READER_MAPPING) {
        put_object(output, node);
    } else if (kind == READER_LIST) {
        put(output, "{\"type\":\"array\",\"items\":");
        if (node->items != NULL) {
            put_node(output, node->items);
        } else {
            put(output, "{}");
        }
        put(output, "}");
    }
}

static void put_node(struct output *output, const struct schema_node *node) {
    uint32_t kinds = node->kinds;
    const char *between = "";
    if (kinds == 0) {
        put(output, "{}");
        return;
    }
    put(output, "{\"anyOf\":[");
    for (uint32_t kind = 1; kind <= READER_NULL; kind <<= 1) {
        if ((kinds & kind) != 0) {
            put_form(output, node, kind, &between);
        }
    }
    put(output, "]}");
}

const char *scenario_schema_text(struct scenario_schema *schema, struct err *err) {
    struct output output = {.schema = schema, .err = err};
    put(&output, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
                 "\"title\":\"ddbsim scenario\",\n\"$defs\":{\n"
                 "\"parameter\":{\"type\":\"string\",\"pattern\":\"[$][{]\"},\n"
                 "\"number\":{\"anyOf\":[{\"type\":\"number\"},"
                 "{\"type\":\"string\",\"pattern\":\"^[-+0-9.eE]+$|[$][{]\"}]},\n"
                 "\"duration\":{\"anyOf\":[{\"const\":0},{\"type\":\"string\",\"pattern\":"
                 "\"^([0-9.]+(ns|us|ms|s|m|h|d)|0)$|[$][{]\"}]},\n"
                 "\"size\":{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"string\",\"pattern\":"
                 "\"^[0-9.]+(B|KB|MB|GB)?$|[$][{]\"}]}\n},\n\"allOf\":[");
    put_node(&output, schema->root);
    put(&output, "]}\n");
    return output.failed ? NULL : output.text;
}
