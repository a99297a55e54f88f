#include "workloads/scenario_parts.h"

#include "sim/check.h"
#include "workloads/spelling.h"

#include <stdio.h>
#include <string.h>

/* One --set on its way down the document. */
struct step {
    struct scenario_build *build;
    const struct scenario_override *override;
    struct source_position position; /* "--set PATH=VALUE", without a line */
    const char *rest;                /* of the path */
};

static bool begin(struct scenario_build *build, const struct scenario_override *override,
                  struct step *step) {
    struct reader *reader = &build->reader;
    size_t path_bytes = strlen(override->path), value_bytes = strlen(override->value);
    *step = (struct step){.build = build, .override = override, .rest = override->path};
    if (document_bad_byte(override->path, path_bytes) != path_bytes ||
        document_bad_byte(override->value, value_bytes) != value_bytes) {
        return err_set(reader->err, ERR_INPUT, "--set: a byte that is no text; expected UTF-8");
    }
    const char *path = reader_shown(reader, override->path);
    const char *value = reader_shown(reader, override->value);
    size_t bytes = strlen(path) + strlen(value) + sizeof "--set =";
    char *label = arena_alloc(reader->arena, bytes, 1, "--set", reader->err);
    if (label == NULL) {
        return false;
    }
    snprintf(label, bytes, "--set %s=%s", path, value);
    step->position.file = label;
    return true;
}

/* Whether a parsed value is meant as a list or mapping: "{player}" reads as a mapping of nothing,
 * but is a key template. */
static bool is_structure(const struct document_node *node) {
    bool has_value = node->kind == DOCUMENT_SEQUENCE || node->first == NULL;
    for (const struct document_node *each = node->first; each != NULL; each = each->next) {
        has_value = has_value || each->kind != DOCUMENT_SCALAR || each->text != NULL;
    }
    return has_value;
}

/* The value as a node: a list or mapping in flow style when it reads as one, else a text. */
static struct document_node *value_node(const struct step *step, bool is_text) {
    struct reader *reader = &step->build->reader;
    const char *value = step->override->value;
    struct document_node *node = NULL;
    if (!is_text && (value[0] == '[' || value[0] == '{')) {
        struct document_source source = {.file = step->position.file,
                                         .text = value,
                                         .length = strlen(value),
                                         .has_no_lines = true};
        struct err none = {.kind = ERR_NONE};
        if (document_parse(reader->arena, &source, &node, &none) && is_structure(node)) {
            return node;
        }
    }
    const char *text = value[0] == '\0' ? NULL : arena_strdup(reader->arena, value, reader->err);
    node = document_new(reader->arena, DOCUMENT_SCALAR, text, &step->position, reader->err);
    if (node != NULL) {
        node->set = step->position.file;
    }
    return node;
}

/* The name of a parameter that path means, or NULL. */
static const char *parameter_of(const struct scenario_build *build, const char *path) {
    static const char section[] = "parameters.";
    const struct document_node *parameters = document_get(build->root, "parameters");
    if (strncmp(path, section, sizeof section - 1) == 0) {
        path += sizeof section - 1;
    }
    const struct document_node *node = parameters == NULL ? NULL : document_get(parameters, path);
    return node == NULL ? NULL : node->key;
}

bool scenario_override_parameters(struct scenario_build *build) {
    for (size_t i = 0; i < build->override_count; i++) {
        const char *name = parameter_of(build, build->overrides[i].path);
        struct step step;
        if (name == NULL) {
            continue;
        }
        if (!begin(build, &build->overrides[i], &step)) {
            return false;
        }
        struct document_node *node = value_node(&step, true);
        if (node == NULL) {
            return false;
        }
        document_put(document_get(build->root, "parameters"), name, node);
    }
    return true;
}

/* Bytes of name when rest is name, or name and a dot; names may have dots themselves. */
static size_t matched_bytes(const char *rest, const char *name) {
    size_t bytes = strlen(name);
    bool matches = strncmp(rest, name, bytes) == 0 && (rest[bytes] == '.' || rest[bytes] == '\0');
    return matches ? bytes : 0;
}

/* What an element of a list is called in paths: its name, TableName or IndexName. */
static const char *element_name(struct reader *reader, struct document_node *element) {
    static const char *const keys[] = {"name", "TableName", "IndexName"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct document_node *node =
            element->kind == DOCUMENT_MAPPING ? document_get(element, keys[i]) : NULL;
        const char *name;
        if (node != NULL && node->kind == DOCUMENT_SCALAR && node->text != NULL) {
            return reader_text(reader, node, &name) ? name : NULL;
        }
    }
    return "";
}

static bool fail_element(const struct step *step, const struct document_node *list) {
    struct reader *reader = &step->build->reader;
    char word[READER_NAME_BYTES_MAX + 1];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(step->rest, "."), step->rest);
    const char **names =
        ARENA_ARRAY(reader->arena, const char *, list->child_count + 1, "names", reader->err);
    if (names == NULL) {
        return false;
    }
    size_t count = 0;
    for (struct document_node *each = list->first; each != NULL; each = each->next) {
        const char *name = element_name(reader, each);
        if (name == NULL) {
            return false;
        }
        names[count++] = name;
    }
    const char *nearest = spelling_nearest(word, names, count);
    const char *of = list->key == NULL ? "the list" : list->key;
    if (nearest != NULL && nearest[0] != '\0') {
        return scenario_error(reader->err, &step->position, "no '%s' in '%s'; did you mean '%s'?",
                              word, of, nearest);
    }
    return scenario_error(reader->err, &step->position, "no '%s' in '%s'", word, of);
}

/* An element by its position, counted from 0; NULL when rest does not begin with such a number. */
static struct document_node *element_at(const struct document_node *list, const char *rest,
                                        size_t *bytes) {
    size_t digits = strspn(rest, "0123456789"), index = 0;
    if (digits == 0 || digits > 9 || (rest[digits] != '.' && rest[digits] != '\0')) {
        return NULL;
    }
    for (size_t i = 0; i < digits; i++) {
        index = index * 10 + (size_t)(rest[i] - '0');
    }
    struct document_node *element = list->first;
    while (element != NULL && index-- > 0) {
        element = element->next;
    }
    *bytes = digits;
    return element;
}

static bool find_element(const struct step *step, const struct document_node *list,
                         struct document_node **found, size_t *bytes) {
    *found = NULL;
    *bytes = 0;
    for (struct document_node *each = list->first; each != NULL; each = each->next) {
        const char *name = element_name(&step->build->reader, each);
        if (name == NULL) {
            return false;
        }
        size_t matched = matched_bytes(step->rest, name);
        if (matched > *bytes) {
            *found = each;
            *bytes = matched;
        }
    }
    if (*found == NULL) {
        *found = element_at(list, step->rest, bytes);
    }
    return *found != NULL || fail_element(step, list);
}

/* Overwrites a list's element in place. */
static void replace_element(struct document_node *old, const struct document_node *node) {
    struct document_node *next = old->next;
    *old = *node;
    old->next = next;
}

/* A first word that is neither a parameter nor a key of the top level. */
static bool check_top(const struct step *step, const char *key) {
    struct reader *reader = &step->build->reader;
    size_t count = 0;
    while (scenario_top_keys.known[count] != NULL) {
        if (strcmp(scenario_top_keys.known[count++], key) == 0) {
            return true;
        }
    }
    size_t total = count + reader->parameter_count + 1;
    const char **words = ARENA_ARRAY(reader->arena, const char *, total, "words", reader->err);
    if (words == NULL) {
        return false;
    }
    memcpy(words, scenario_top_keys.known, count * sizeof *words);
    for (uint32_t i = 0; i < reader->parameter_count; i++) {
        words[count++] = reader->parameters[i].name;
    }
    const struct reader_keys keys = {words, scenario_top_keys.later};
    return reader_fail_word(reader, &step->position, "parameter or key", key, &keys);
}

/* The child under the next key of the path, made when it is not there. */
static bool step_into_mapping(struct step *step, struct document_node **node) {
    struct reader *reader = &step->build->reader;
    struct document_node *mapping = *node, *child = NULL;
    size_t bytes = 0;
    for (struct document_node *each = mapping->first; each != NULL; each = each->next) {
        size_t matched = matched_bytes(step->rest, each->key);
        if (matched > bytes) {
            child = each;
            bytes = matched;
        }
    }
    bytes = child == NULL ? strcspn(step->rest, ".") : bytes;
    const char *key = arena_strndup(reader->arena, step->rest, bytes, reader->err);
    if (key == NULL) {
        return false;
    }
    if (bytes == 0) {
        return scenario_error(reader->err, &step->position, "an empty name in the path");
    }
    if (mapping == step->build->root && !check_top(step, key)) {
        return false;
    }
    step->rest += bytes;
    bool is_last = step->rest[0] == '\0';
    if (is_last || child == NULL) {
        child = is_last ? value_node(step, false)
                        : document_new(reader->arena, DOCUMENT_MAPPING, NULL, &step->position,
                                       reader->err);
        if (child == NULL) {
            return false;
        }
        child->key_position = step->position;
        document_put(mapping, key, child);
    }
    *node = child;
    return true;
}

static bool step_into_list(struct step *step, struct document_node **node) {
    struct document_node *element;
    size_t bytes;
    if (!find_element(step, *node, &element, &bytes)) {
        return false;
    }
    step->rest += bytes;
    if (step->rest[0] == '\0') {
        const struct document_node *value = value_node(step, false);
        if (value == NULL) {
            return false;
        }
        replace_element(element, value);
    }
    *node = element;
    return true;
}

static bool set_path(struct scenario_build *build, const struct scenario_override *override) {
    struct step step;
    if (!begin(build, override, &step)) {
        return false;
    }
    struct document_node *node = build->root;
    for (uint32_t depth = 0; step.rest[0] != '\0' || depth == 0; depth++) {
        if (depth == DOCUMENT_DEPTH_MAX) {
            return scenario_error(build->reader.err, &step.position, "more than %d levels",
                                  DOCUMENT_DEPTH_MAX);
        }
        step.rest += depth > 0; /* the dot */
        if (node->kind == DOCUMENT_SCALAR) {
            node->kind = DOCUMENT_MAPPING; /* "latency: 3ms" makes room for latency.lognormal */
            node->text = node->tag = NULL;
            node->position = step.position;
        }
        bool stepped = node->kind == DOCUMENT_MAPPING ? step_into_mapping(&step, &node)
                                                      : step_into_list(&step, &node);
        if (!stepped) {
            return false;
        }
    }
    return true;
}

bool scenario_override_paths(struct scenario_build *build, bool is_table_from) {
    static const char ending[] = ".TableFrom";
    for (size_t i = 0; i < build->override_count; i++) {
        const struct scenario_override *override = &build->overrides[i];
        size_t bytes = strlen(override->path);
        bool ends = bytes >= sizeof ending - 1 &&
                    strcmp(override->path + bytes - (sizeof ending - 1), ending) == 0;
        if (ends == is_table_from && parameter_of(build, override->path) == NULL &&
            !set_path(build, override)) {
            return false;
        }
    }
    return true;
}
