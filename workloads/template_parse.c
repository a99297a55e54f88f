#include "workloads/template_parse.h"

#include "sim/check.h"
#include "workloads/spelling.h"

#include <stdio.h>
#include <string.h>

struct parser {
    struct arena *arena;
    const struct scenario_text *text;
    const struct template_scope *scope;
    struct key_part_list *list;
    struct err *err;
};

/* A stretch of the template's text. */
struct span {
    size_t begin, end;
};

struct source_position template_position(const struct scenario_text *text, size_t offset) {
    struct source_position position = text->position;
    if (position.line == 0 || strchr(text->text, '\n') != NULL) {
        return position;
    }
    const struct text_splice *splice = text->splices;
    for (size_t i = 0; i < offset;) {
        if (splice == NULL || i < splice->at) {
            position.column += ((unsigned char)text->text[i] & 0xc0) != 0x80; /* per character */
            i++;
            continue;
        }
        if (offset < i + splice->bytes) {
            break; /* within what a parameter brought in: at its ${name} */
        }
        position.column += splice->written_bytes;
        i += splice->bytes;
        splice = splice->next;
    }
    return position;
}

static bool fail(const struct parser *parser, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(const struct parser *parser, size_t offset, const char *format, ...) {
    char what[ERR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    struct source_position position = template_position(parser->text, offset);
    return scenario_error(parser->err, &position, "%s", what);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static struct span trimmed(const struct parser *parser, struct span span) {
    const char *text = parser->text->text;
    while (span.begin < span.end && is_blank(text[span.begin])) {
        span.begin++;
    }
    while (span.end > span.begin && is_blank(text[span.end - 1])) {
        span.end--;
    }
    return span;
}

static bool starts_with(const struct parser *parser, struct span span, const char *word) {
    size_t length = strlen(word);
    return span.end - span.begin >= length &&
           memcmp(parser->text->text + span.begin, word, length) == 0;
}

static bool equals(const struct parser *parser, struct span span, const char *word) {
    return span.end - span.begin == strlen(word) && starts_with(parser, span, word);
}

#define SPAN_ARGUMENTS(parser, span)                                                               \
    (int)((span).end - (span).begin), (parser)->text->text + (span).begin

static uint32_t count_fields_named(const struct parser *parser, struct span name, uint32_t *first) {
    uint32_t count = 0;
    for (uint32_t i = parser->scope->field_count; i > 0; i--) {
        if (equals(parser, name, parser->scope->fields[i - 1].name)) {
            *first = i - 1;
            count++;
        }
    }
    return count;
}

static bool unknown_field(const struct parser *parser, struct span name) {
    uint32_t count = parser->scope->field_count;
    const char **names = ARENA_ARRAY(parser->arena, const char *, count + 1, "names", parser->err);
    const char *word = arena_strndup(parser->arena, parser->text->text + name.begin,
                                     name.end - name.begin, parser->err);
    if (names == NULL || word == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        names[i] = parser->scope->fields[i].name;
    }
    names[count] = "seq";
    const char *near = spelling_nearest(word, names, count + 1);
    if (near != NULL) {
        return fail(parser, name.begin, "unknown field '%.100s'; did you mean '%s'?", word, near);
    }
    return fail(parser, name.begin,
                "unknown field '%.100s'; expected a field, a trace column, hash(field) %% N, "
                "random %% N, each N, now:FORMAT or seq",
                word);
}

static bool find_field(const struct parser *parser, struct span name, uint32_t *field) {
    uint32_t found = count_fields_named(parser, name, field);
    if (found == 0) {
        return unknown_field(parser, name);
    }
    if (found > 1) {
        return fail(parser, name.begin, "'%.*s' is both a field and a trace column; rename one",
                    SPAN_ARGUMENTS(parser, name));
    }
    return true;
}

/* A whole number 1 … TEMPLATE_MODULUS_MAX. */
static bool parse_modulus(const struct parser *parser, struct span span, const char *what,
                          uint32_t *modulus) {
    span = trimmed(parser, span);
    uint32_t value = 0;
    bool valid = span.begin < span.end;
    for (size_t i = span.begin; i < span.end && valid; i++) {
        char c = parser->text->text[i];
        valid = c >= '0' && c <= '9';
        value = valid ? value * 10 + (uint32_t)(c - '0') : 0;
        valid = valid && value <= TEMPLATE_MODULUS_MAX;
    }
    if (!valid || value == 0) {
        return fail(parser, span.begin, "N of {%s} is '%.*s', expected a whole number from 1 to %u",
                    what, SPAN_ARGUMENTS(parser, span), TEMPLATE_MODULUS_MAX);
    }
    *modulus = value;
    return true;
}

/* "% N" at the start of span. */
static bool parse_percent(const struct parser *parser, struct span span, const char *what,
                          uint32_t *modulus) {
    span = trimmed(parser, span);
    if (!starts_with(parser, span, "%")) {
        return fail(parser, span.begin, "expected {%s}, '%%' is missing", what);
    }
    span.begin++;
    return parse_modulus(parser, span, what, modulus);
}

static bool parse_hash(const struct parser *parser, struct span span, struct key_part *part) {
    static const char what[] = "hash(field) % N";
    const char *text = parser->text->text;
    const char *close = memchr(text + span.begin, ')', span.end - span.begin);
    if (close == NULL) {
        return fail(parser, span.begin, "expected {%s}, ')' is missing", what);
    }
    size_t close_at = (size_t)(close - text);
    struct span name = trimmed(parser, (struct span){span.begin + strlen("hash("), close_at});
    part->kind = KEY_PART_HASH;
    return find_field(parser, name, &part->field) &&
           parse_percent(parser, (struct span){close_at + 1, span.end}, what, &part->modulus);
}

static bool parse_now(const struct parser *parser, struct span span, struct key_part *part) {
    static const char known[] = "%Y %m %d %H %M %S %%";
    const char *text = parser->text->text;
    span.begin += strlen("now:");
    part->kind = KEY_PART_NOW;
    part->text = text + span.begin;
    part->text_bytes = span.end - span.begin;
    part->unit = CALENDAR_YEAR;
    bool has_unit = false;
    for (size_t i = span.begin; i < span.end; i++) {
        if (text[i] != '%') {
            continue;
        }
        i++;
        enum calendar_unit unit = CALENDAR_YEAR;
        bool is_percent = i < span.end && text[i] == '%';
        if (!is_percent && (i == span.end || !calendar_letter_unit(text[i], &unit))) {
            return fail(parser, i - 1, "'%.*s' in {now:…} is not one of %s",
                        SPAN_ARGUMENTS(parser, ((struct span){i - 1, i < span.end ? i + 1 : i})),
                        known);
        }
        has_unit = has_unit || !is_percent;
        part->unit = unit > part->unit ? unit : part->unit;
    }
    if (!has_unit) {
        return fail(parser, span.begin, "{now:…} has none of %.17s", known);
    }
    return true;
}

/* Whether span is word, alone or before one of the characters of next. */
static bool is_keyword(const struct parser *parser, struct span span, const char *word,
                       const char *next) {
    size_t after = span.begin + strlen(word);
    return starts_with(parser, span, word) &&
           (after == span.end || strchr(next, parser->text->text[after]) != NULL);
}

/* What stands between braces, blanks around it taken off. */
static bool parse_content(const struct parser *parser, struct span span, struct key_part *part) {
    uint32_t field = 0;
    uint32_t named = count_fields_named(parser, span, &field);
    if (equals(parser, span, "seq")) {
        if (named > 0) {
            return fail(parser, span.begin,
                        "{seq} is the operation's number, but a field or trace "
                        "column is named 'seq' too; rename it");
        }
        part->kind = KEY_PART_SEQ;
        return true;
    }
    if (starts_with(parser, span, "now:")) {
        return parse_now(parser, span, part);
    }
    if (starts_with(parser, span, "hash(")) {
        return parse_hash(parser, span, part);
    }
    if (named == 0 && is_keyword(parser, span, "random", " \t%")) {
        part->kind = KEY_PART_RANDOM;
        return parse_percent(parser, (struct span){span.begin + strlen("random"), span.end},
                             "random % N", &part->modulus);
    }
    if (named == 0 && is_keyword(parser, span, "each", " \t")) {
        part->kind = KEY_PART_EACH;
        return parse_modulus(parser, (struct span){span.begin + strlen("each"), span.end}, "each N",
                             &part->modulus);
    }
    if (named == 0 && equals(parser, span, "now")) {
        return fail(parser, span.begin, "{now} needs a format, such as {now:%%Y-%%m-%%d}");
    }
    part->kind = KEY_PART_FIELD;
    return find_field(parser, span, &part->field);
}

/* {…} with its '{' at *at, which moves behind the '}'. */
static bool parse_braces(struct parser *parser, size_t *at) {
    const char *text = parser->text->text;
    size_t open = *at;
    size_t close = open + 1;
    while (text[close] != '\0' && text[close] != '}' && text[close] != '{') {
        close++;
    }
    if (text[close] != '}') {
        return fail(parser, open, "'{' is not closed; write '{{' for a brace");
    }
    struct span content = trimmed(parser, (struct span){open + 1, close});
    if (content.begin == content.end) {
        return fail(parser, open, "nothing between '{' and '}'; write '{{' for a brace");
    }
    struct key_part *part = &parser->list->parts[parser->list->count++];
    part->offset = (uint32_t)open;
    *at = close + 1;
    return parse_content(parser, content, part);
}

/* Text up to the next part, with doubled braces made single. */
static bool parse_literal(struct parser *parser, size_t *at) {
    const char *text = parser->text->text;
    char *literal = arena_alloc(parser->arena, strlen(text + *at) + 1, 1, "template", parser->err);
    if (literal == NULL) {
        return false;
    }
    size_t length = 0, i = *at;
    for (; text[i] != '\0'; i++) {
        if (text[i] == '{' || text[i] == '}') {
            if (text[i + 1] != text[i]) {
                break;
            }
            i++;
        }
        literal[length++] = text[i];
    }
    if (text[i] == '}') {
        return fail(parser, i, "'}' without '{'; write '}}' for a brace");
    }
    parser->list->parts[parser->list->count++] = (struct key_part){
        .kind = KEY_PART_LITERAL,
        .offset = (uint32_t)*at,
        .text = literal,
        .text_bytes = length,
    };
    *at = i;
    return true;
}

bool template_parse(struct key_part_list *list, struct arena *arena,
                    const struct scenario_text *text, const struct template_scope *scope,
                    struct err *err) {
    SIM_CHECK(text->text != NULL);
    struct parser parser = {.arena = arena, .text = text, .scope = scope, .list = list, .err = err};
    *list = (struct key_part_list){.parts = NULL};
    size_t length = strlen(text->text);
    if (length > TEMPLATE_BYTES_MAX) {
        return fail(&parser, 0, "a template of %zu bytes, at most %d are taken", length,
                    TEMPLATE_BYTES_MAX);
    }
    size_t parts_max = 1;
    for (size_t i = 0; i < length; i++) {
        parts_max += text->text[i] == '{' ? 2 : 0; /* a part, and the literal behind it */
    }
    list->parts = ARENA_ARRAY(arena, struct key_part, parts_max, "template", err);
    if (list->parts == NULL) {
        return false;
    }
    size_t at = 0;
    while (text->text[at] != '\0') {
        bool is_part = text->text[at] == '{' && text->text[at + 1] != '{';
        if (is_part ? !parse_braces(&parser, &at) : !parse_literal(&parser, &at)) {
            return false;
        }
    }
    return true;
}
