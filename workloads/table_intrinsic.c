#include "workloads/table_intrinsic.h"

#include "workloads/value.h"

#include <stdio.h>
#include <string.h>

#define NESTING_MAX 32   /* conditions that name conditions */
#define STEPS_MAX 100000 /* of one property; beyond it conditions name one another without end */

/* One call of a function: {Name: argument} or !Name argument. */
struct call {
    const char *name;  /* "If", "Ref" */
    const char *shown; /* as it is written: "!If", "Fn::If" */
    struct document_node *node;
    const struct document_node *argument; /* node itself for a short form */
};

struct resolver {
    struct reader *reader;
    const struct table_scope *scope;
    uint32_t depth, steps;
};

static bool resolve(struct resolver *resolver, struct document_node *node, bool *is_absent);

/* What AWS fills in. The simulator has no stack; a name needs some text. */
static const char *pseudo_parameter(const char *name) {
    static const char *const rows[][2] = {{"AWS::StackName", "stack"},
                                          {"AWS::Region", "us-east-1"},
                                          {"AWS::AccountId", "123456789012"},
                                          {"AWS::Partition", "aws"},
                                          {"AWS::URLSuffix", "amazonaws.com"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i][0], name) == 0) {
            return rows[i][1];
        }
    }
    return NULL;
}

/* A resource has no value before deployment: its name, so that it can be known again. */
static bool refer(struct reader *reader, const char *name, const char **value) {
    const size_t bytes = strlen(name);
    char *text = arena_alloc(reader->arena, bytes + sizeof "${}", 1, "text", reader->err);
    if (text == NULL) {
        return false;
    }
    memcpy(text, "${", 2);
    memcpy(text + 2, name, bytes);
    memcpy(text + 2 + bytes, "}", 2);
    *value = text;
    return true;
}

static bool find_value(struct resolver *resolver, const struct document_node *node,
                       const char *name, const char **value) {
    struct reader *reader = resolver->reader;
    const struct document_node *resources = resolver->scope->resources;
    if (resources != NULL && document_get(resources, name) != NULL) {
        return refer(reader, name, value);
    }
    for (uint32_t i = 0; i < reader->parameter_count; i++) {
        if (strcmp(reader->parameters[i].name, name) == 0) {
            reader->parameter_is_used[i] = true;
            *value = reader->parameters[i].value;
            return true;
        }
    }
    const struct document_node *parameters = resolver->scope->parameters;
    const struct document_node *parameter =
        parameters == NULL ? NULL : document_get(parameters, name);
    const struct document_node *standard =
        parameter == NULL ? NULL : document_get(parameter, "Default");
    *value = pseudo_parameter(name);
    if (*value != NULL) {
        return reader_note(reader, &node->position, "%s is taken as '%s'", name, *value);
    }
    if (standard == NULL || standard->text == NULL) {
        return reader_fail(reader, node,
                           "'%s' has no value: the scenario's 'parameters' lack it, the template "
                           "gives no default",
                           reader_shown(reader, name));
    }
    *value = standard->text;
    return true;
}

/* "a-${b}-c" with the values put in. */
static bool substitute(struct resolver *resolver, struct document_node *node, const char *text,
                       const char **result) {
    struct reader *reader = resolver->reader;
    char output[READER_TEXT_BYTES_MAX];
    size_t length = 0;
    const char *open;
    for (const char *rest = text;; rest = strchr(open, '}') + 1) {
        open = strstr(rest, "${");
        size_t plain = open == NULL ? strlen(rest) : (size_t)(open - rest);
        const char *close = open == NULL ? NULL : strchr(open, '}');
        const char *value = "";
        if (open != NULL && close == NULL) {
            return reader_fail(reader, node, "'${' without '}'");
        }
        if (close != NULL) {
            size_t bytes = (size_t)(close - open) - 2;
            char *name = arena_strndup(reader->arena, open + 2, bytes, reader->err);
            if (name == NULL || !find_value(resolver, node, name, &value)) {
                return false;
            }
        }
        if (length + plain + strlen(value) >= READER_TEXT_BYTES_MAX) {
            return reader_fail(reader, node, "the text is too long after substitution");
        }
        memcpy(output + length, rest, plain);
        memcpy(output + length + plain, value, strlen(value));
        length += plain + strlen(value);
        if (open == NULL) {
            break;
        }
    }
    *result = arena_strndup(reader->arena, output, length, reader->err);
    return *result != NULL;
}

/* The node becomes a text; where it stands stays. */
static void become_text(struct document_node *node, const char *text) {
    node->kind = DOCUMENT_SCALAR;
    node->text = text;
    node->tag = NULL;
    node->first = node->last = NULL;
    node->child_count = 0;
}

/* The node becomes another one, under its own key. */
static void become(struct document_node *node, const struct document_node *other) {
    node->kind = other->kind;
    node->text = other->text;
    node->tag = other->tag;
    node->first = other->first;
    node->last = other->last;
    node->child_count = other->child_count;
    node->position = other->position;
}

/* The arguments of a call, a list of so many, each resolved to a text when texts is set. */
static bool read_list(struct resolver *resolver, const struct call *call, uint32_t least,
                      uint32_t most, bool texts) {
    const struct document_node *list = call->argument;
    if (list->kind != DOCUMENT_SEQUENCE || list->child_count < least || list->child_count > most) {
        return reader_fail(resolver->reader, call->node, "'%s' takes a list of %u%s values",
                           call->shown, least, most > least ? " or more" : "");
    }
    for (struct document_node *each = list->first; each != NULL && texts; each = each->next) {
        bool is_absent = false;
        if (!resolve(resolver, each, &is_absent)) {
            return false;
        }
        if (is_absent || each->kind != DOCUMENT_SCALAR || each->text == NULL) {
            return reader_fail(resolver->reader, each, "'%s' needs a text here", call->shown);
        }
    }
    return true;
}

static bool find_in_map(struct resolver *resolver, const struct call *call) {
    if (!read_list(resolver, call, 3, 3, true)) {
        return false;
    }
    const struct document_node *at = resolver->scope->mappings;
    for (const struct document_node *key = call->argument->first; key != NULL; key = key->next) {
        at = at == NULL || at->kind != DOCUMENT_MAPPING ? NULL : document_get(at, key->text);
        if (at == NULL) {
            return reader_fail(resolver->reader, key, "the template's Mappings have no '%s' here",
                               reader_shown(resolver->reader, key->text));
        }
    }
    become(call->node, at);
    return true;
}

static bool join(struct resolver *resolver, const struct call *call) {
    const struct document_node *separator = call->argument->first;
    if (!read_list(resolver, call, 2, 2, false)) {
        return false;
    }
    const struct call parts = {call->name, call->shown, call->node, separator->next};
    char output[READER_TEXT_BYTES_MAX];
    size_t length = 0;
    if (separator->text == NULL || !read_list(resolver, &parts, 0, UINT32_MAX, true)) {
        return separator->text != NULL ? false
                                       : reader_fail(resolver->reader, call->node,
                                                     "'Join' needs a text between the parts");
    }
    for (const struct document_node *part = parts.argument->first; part; part = part->next) {
        const char *between = part == parts.argument->first ? "" : separator->text;
        const int bytes =
            snprintf(output + length, sizeof output - length, "%s%s", between, part->text);
        length += (size_t)bytes;
        if (length >= sizeof output) {
            return reader_fail(resolver->reader, call->node, "the text is too long after 'Join'");
        }
    }
    const char *text =
        arena_strndup(resolver->reader->arena, output, length, resolver->reader->err);
    become_text(call->node, text);
    return text != NULL;
}

static bool select_one(struct resolver *resolver, const struct call *call) {
    if (!read_list(resolver, call, 2, 2, false)) {
        return false;
    }
    struct document_node *index = call->argument->first;
    const struct document_node *list = index->next;
    bool is_absent = false;
    int64_t number = -1;
    if (!resolve(resolver, index, &is_absent)) {
        return false;
    }
    if (index->text == NULL || value_int64(index->text, &number) != VALUE_OK ||
        list->kind != DOCUMENT_SEQUENCE || number < 0 || number >= list->child_count) {
        return reader_fail(resolver->reader, index,
                           "'Select' needs the number of a value of a list");
    }
    const struct document_node *at = list->first;
    for (; number > 0; number--) {
        at = at->next;
    }
    become(call->node, at);
    return true;
}

static bool is_function(const struct document_node *node, struct call *call) {
    const struct document_node *only =
        node->kind == DOCUMENT_MAPPING && node->child_count == 1 ? node->first : NULL;
    if (node->tag != NULL && node->tag[0] == '!' && node->tag[1] != '!') {
        *call = (struct call){.name = node->tag + 1, .shown = node->tag, .argument = node};
        return true;
    }
    if (only == NULL || only->key == NULL) {
        return false;
    }
    *call = (struct call){.shown = only->key, .argument = only};
    if (strncmp(only->key, "Fn::", 4) == 0) {
        call->name = only->key + 4;
    } else if (strcmp(only->key, "Ref") == 0 || strcmp(only->key, "Condition") == 0) {
        call->name = only->key;
    }
    return call->name != NULL;
}

static bool judge(struct resolver *resolver, struct document_node *node, bool *holds);

static bool judge_named(struct resolver *resolver, const struct document_node *node,
                        const char *name, bool *holds) {
    const struct document_node *conditions = resolver->scope->conditions;
    struct document_node *condition =
        conditions == NULL || name == NULL ? NULL : document_get(conditions, name);
    if (condition == NULL) {
        return reader_fail(resolver->reader, node, "the template's Conditions have no '%s'",
                           name == NULL ? "?" : reader_shown(resolver->reader, name));
    }
    if (resolver->depth == NESTING_MAX || ++resolver->steps > STEPS_MAX) {
        return reader_fail(resolver->reader, node, "conditions that name one another in a circle");
    }
    resolver->depth++;
    const bool judged = judge(resolver, condition, holds);
    resolver->depth--;
    return judged;
}

/* And, Or, Not over conditions. */
static bool judge_all(struct resolver *resolver, const struct call *call, bool *holds) {
    const bool is_and = strcmp(call->name, "And") == 0, is_not = strcmp(call->name, "Not") == 0;
    if (!read_list(resolver, call, 1, is_not ? 1 : UINT32_MAX, false)) {
        return false;
    }
    *holds = is_and;
    for (struct document_node *each = call->argument->first; each != NULL; each = each->next) {
        bool one = false;
        if (!judge(resolver, each, &one)) {
            return false;
        }
        *holds = is_not ? !one : is_and ? *holds && one : *holds || one;
    }
    return true;
}

static bool judge(struct resolver *resolver, struct document_node *node, bool *holds) {
    struct call call;
    if (!is_function(node, &call)) {
        return reader_fail(resolver->reader, node, "expected a condition, such as 'Fn::Equals'");
    }
    call.node = node;
    if (strcmp(call.name, "Condition") == 0) {
        return judge_named(resolver, node, call.argument->text, holds);
    }
    if (strcmp(call.name, "Equals") == 0) {
        if (!read_list(resolver, &call, 2, 2, true)) {
            return false;
        }
        *holds = strcmp(call.argument->first->text, call.argument->last->text) == 0;
        return true;
    }
    if (strcmp(call.name, "And") == 0 || strcmp(call.name, "Or") == 0 ||
        strcmp(call.name, "Not") == 0) {
        return judge_all(resolver, &call, holds);
    }
    return reader_fail(resolver->reader, node, "expected a condition, such as 'Fn::Equals'");
}

static bool choose(struct resolver *resolver, const struct call *call, bool *is_absent) {
    if (!read_list(resolver, call, 3, 3, false)) {
        return false;
    }
    const struct document_node *name = call->argument->first;
    bool holds = false;
    if (!judge_named(resolver, name, name->text, &holds)) {
        return false;
    }
    become(call->node, holds ? name->next : name->next->next);
    return resolve(resolver, call->node, is_absent);
}

static bool call_function(struct resolver *resolver, const struct call *call, bool *is_absent) {
    const char *text = NULL;
    const bool is_ref = strcmp(call->name, "Ref") == 0, is_sub = strcmp(call->name, "Sub") == 0;
    if ((is_ref || is_sub) && call->argument->text != NULL) {
        *is_absent = is_ref && strcmp(call->argument->text, "AWS::NoValue") == 0;
        if (*is_absent) {
            return true;
        }
        const char *argument = call->argument->text;
        if (is_ref ? !find_value(resolver, call->node, argument, &text)
                   : !substitute(resolver, call->node, argument, &text)) {
            return false;
        }
        become_text(call->node, text);
        return true;
    }
    if (strcmp(call->name, "FindInMap") == 0) {
        return find_in_map(resolver, call);
    }
    if (strcmp(call->name, "If") == 0) {
        return choose(resolver, call, is_absent);
    }
    if (strcmp(call->name, "Join") == 0) {
        return join(resolver, call);
    }
    if (strcmp(call->name, "Select") == 0) {
        return select_one(resolver, call) && resolve(resolver, call->node, is_absent);
    }
    return reader_fail(resolver->reader, call->node,
                       "'%s' is not supported here; give the property beside TableFrom",
                       reader_shown(resolver->reader, call->shown));
}

/* Resolves the children; those that are absent are taken out. */
static bool resolve_children(struct resolver *resolver, struct document_node *node) {
    struct document_node *before = NULL;
    for (struct document_node *child = node->first; child != NULL; child = child->next) {
        bool is_absent = false;
        if (!resolve(resolver, child, &is_absent)) {
            return false;
        }
        if (!is_absent) {
            before = child;
            continue;
        }
        *(before == NULL ? &node->first : &before->next) = child->next;
        node->last = before;
        node->child_count--;
    }
    node->last = before;
    return true;
}

static bool resolve(struct resolver *resolver, struct document_node *node, bool *is_absent) {
    struct call call;
    *is_absent = false;
    if (!node->is_literal) {
        return true; /* of the scenario, in the file's place */
    }
    if (!is_function(node, &call)) {
        return resolve_children(resolver, node);
    }
    call.node = node;
    if (resolver->depth == NESTING_MAX || ++resolver->steps > STEPS_MAX) {
        return reader_fail(resolver->reader, node, "functions nested too deeply");
    }
    resolver->depth++;
    /* a short form is the call and its argument at once: the argument as a node of its own */
    const struct document_node whole = *node;
    if (call.argument == node) {
        node->tag = NULL;
        call.argument = &whole;
    }
    const bool called = call_function(resolver, &call, is_absent);
    resolver->depth--;
    return called;
}

bool table_intrinsic_resolve(struct reader *reader, const struct table_scope *scope,
                             struct document_node *node, bool *is_absent) {
    struct resolver resolver = {.reader = reader, .scope = scope};
    return resolve(&resolver, node, is_absent);
}

bool table_intrinsic_holds(struct reader *reader, const struct table_scope *scope,
                           const struct document_node *node, bool *holds) {
    struct resolver resolver = {.reader = reader, .scope = scope};
    return judge_named(&resolver, node, node->text, holds);
}
