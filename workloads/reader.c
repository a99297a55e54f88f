#include "workloads/reader.h"

#include "sim/check.h"
#include "workloads/spelling.h"
#include "workloads/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_BYTES_MAX 60
#define LISTED_BYTES_MAX 320

struct reader_note {
    struct reader_note *older;
    const char *text;
};

static bool fail_at(struct reader *reader, const struct document_node *node,
                    const struct source_position *position, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

static bool fail_at(struct reader *reader, const struct document_node *node,
                    const struct source_position *position, const char *format, va_list arguments) {
    char text[ERR_TEXT_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    bool is_from_file = node->set != NULL && position->line != 0;
    return scenario_error(reader->err, position, "%s%s%s%s", text, is_from_file ? " (from " : "",
                          is_from_file ? node->set : "", is_from_file ? ")" : "");
}

bool reader_fail(struct reader *reader, const struct document_node *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(reader, node, &node->position, format, arguments);
    va_end(arguments);
    return false;
}

bool reader_fail_key(struct reader *reader, const struct document_node *node, const char *format,
                     ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(reader, node, node->key != NULL ? &node->key_position : &node->position, format,
            arguments);
    va_end(arguments);
    return false;
}

bool reader_fail_io(struct reader *reader, const struct document_node *node, const char *message) {
    struct err located = {.kind = ERR_NONE};
    scenario_error(&located, &node->position, "%s", message);
    return err_set(reader->err, ERR_IO, "%s", located.text);
}

const char *reader_path(struct reader *reader, const char *folder, const char *name) {
    size_t folder_bytes = name[0] == '/' ? 0 : strlen(folder), name_bytes = strlen(name);
    char *path = arena_alloc(reader->arena, folder_bytes + name_bytes + 1, 1, "path", reader->err);
    struct scenario_file *file =
        ARENA_NEW(reader->arena, struct scenario_file, "file", reader->err);
    if (path == NULL || file == NULL) {
        return NULL;
    }
    memcpy(path, folder, folder_bytes);
    memcpy(path + folder_bytes, name, name_bytes + 1);
    *file = (struct scenario_file){
        .older = reader->newest_file, .name = path + folder_bytes, .path = path};
    reader->newest_file = file;
    return path;
}

const char *reader_shown(struct reader *reader, const char *text) {
    size_t length = strlen(text), shown = length;
    if (length > SHOWN_BYTES_MAX) {
        shown = SHOWN_BYTES_MAX;
        while (shown > 0 && ((unsigned char)text[shown] & 0xc0) == 0x80) {
            shown--;
        }
    }
    char *copy = arena_alloc(reader->arena, shown + sizeof "…", 1, "message", reader->err);
    if (copy == NULL) {
        return "";
    }
    for (size_t i = 0; i < shown; i++) {
        copy[i] = text[i] == '\n' || text[i] == '\r' || text[i] == '\t' ? ' ' : text[i];
    }
    memcpy(copy + shown, shown < length ? "…" : "", shown < length ? sizeof "…" : 1);
    return copy;
}

bool reader_fail_expected(struct reader *reader, const struct document_node *node,
                          const char *expected) {
    const char *got = "a mapping", *quote = "";
    if (node->kind == DOCUMENT_SEQUENCE) {
        got = "a list";
    } else if (node->kind == DOCUMENT_SCALAR) {
        quote = node->text == NULL ? "" : "'";
        got = node->text == NULL ? "nothing" : reader_shown(reader, node->text);
    }
    if (node->key == NULL) {
        return reader_fail(reader, node, "expected %s, got %s%s%s", expected, quote, got, quote);
    }
    return reader_fail(reader, node, "'%s' must be %s, got %s%s%s", reader_shown(reader, node->key),
                       expected, quote, got, quote);
}

static size_t count_words(const char *const *words) {
    size_t count = 0;
    while (words != NULL && words[count] != NULL) {
        count++;
    }
    return count;
}

static bool is_among(const char *word, const char *const *words) {
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* "a, b or c"; empty when there are none, or so many that a list of them helps nobody. */
static void list_words(const char *const *words, char text[LISTED_BYTES_MAX]) {
    const size_t count = count_words(words);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const char *separator = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        if (used + strlen(separator) + strlen(words[i]) >= LISTED_BYTES_MAX) {
            text[0] = '\0';
            return;
        }
        used += (size_t)snprintf(text + used, LISTED_BYTES_MAX - used, "%s%s", separator, words[i]);
    }
}

bool reader_fail_word(struct reader *reader, const struct source_position *position,
                      const char *what, const char *word, const struct reader_keys *words) {
    const char *shown = reader_shown(reader, word);
    if (is_among(word, words->later)) {
        return scenario_error(reader->err, position, "%s '%s' is not supported yet", what, shown);
    }
    const char *nearest = spelling_nearest(word, words->known, count_words(words->known));
    if (nearest == NULL && words->later != NULL) {
        nearest = spelling_nearest(word, words->later, count_words(words->later));
    }
    if (nearest != NULL) {
        return scenario_error(reader->err, position, "unknown %s '%s'; did you mean '%s'?", what,
                              shown, nearest);
    }
    char expected[LISTED_BYTES_MAX] = "";
    list_words(words->known, expected);
    return scenario_error(reader->err, position, "unknown %s '%s'%s%s", what, shown,
                          expected[0] == '\0' ? "" : "; expected ", expected);
}

bool reader_note(struct reader *reader, const struct source_position *position, const char *format,
                 ...) {
    char text[ERR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct err whole = {.kind = ERR_NONE};
    scenario_error(&whole, position, "%s", text);
    struct reader_note *note = ARENA_NEW(reader->arena, struct reader_note, "note", reader->err);
    if (note == NULL) {
        return false;
    }
    note->text = arena_strdup(reader->arena, whole.text, reader->err);
    note->older = reader->newest_note;
    reader->newest_note = note;
    reader->note_count++;
    return note->text != NULL;
}

const char *const *reader_notes(struct reader *reader) {
    const char **texts =
        ARENA_ARRAY(reader->arena, const char *, reader->note_count + 1, "notes", reader->err);
    if (texts == NULL) {
        return NULL;
    }
    uint32_t left = reader->note_count;
    for (const struct reader_note *note = reader->newest_note; note; note = note->older) {
        texts[--left] = note->text;
    }
    SIM_CHECK(left == 0);
    return texts;
}

/* The words are copied: they may be a list on somebody's stack. */
static bool note_question(struct reader *reader, const struct reader_question *asked) {
    struct reader_question *question =
        ARENA_NEW(reader->arena, struct reader_question, "question", reader->err);
    if (question == NULL) {
        return false;
    }
    *question = *asked;
    question->older = reader->newest_question;
    question->file = reader->file;
    reader->newest_question = question;
    if (asked->words == NULL) {
        return true;
    }
    const size_t count = count_words(asked->words);
    const char **words =
        ARENA_ARRAY(reader->arena, const char *, count + 1, "question", reader->err);
    for (size_t i = 0; words != NULL && i < count; i++) {
        words[i] = asked->words[i];
    }
    question->words = words;
    return words != NULL;
}

bool reader_asks(struct reader *reader, const struct document_node *node, enum reader_kind kind,
                 const char *const *words) {
    const struct reader_question question = {.node = node, .kind = kind, .words = words};
    return !reader->notes_questions || note_question(reader, &question);
}

bool reader_mapping(struct reader *reader, const struct document_node *node,
                    const struct reader_keys *keys) {
    if (node->kind != DOCUMENT_MAPPING) {
        return reader_fail_expected(reader, node, "a mapping of keys");
    }
    if (node->tag != NULL) {
        return reader_fail(reader, node, "tag '%s' is not supported",
                           reader_shown(reader, node->tag));
    }
    for (const struct document_node *child = node->first; child && keys; child = child->next) {
        if (!is_among(child->key, keys->known)) {
            return reader_fail_word(reader, &child->key_position, "key", child->key, keys);
        }
    }
    return reader_asks(reader, node, READER_MAPPING, keys == NULL ? NULL : keys->known);
}

bool reader_word_or_mapping(struct reader *reader, const struct document_node *node,
                            const char *expected) {
    const bool is_word = node->kind == DOCUMENT_SCALAR && node->text != NULL;
    return is_word || node->kind == DOCUMENT_MAPPING ||
           reader_fail_expected(reader, node, expected);
}

bool reader_sequence(struct reader *reader, const struct document_node *node) {
    if (node->kind != DOCUMENT_SEQUENCE) {
        return reader_fail_expected(reader, node, "a list");
    }
    if (node->tag != NULL) {
        return reader_fail(reader, node, "tag '%s' is not supported",
                           reader_shown(reader, node->tag));
    }
    return reader_asks(reader, node, READER_LIST, NULL);
}

bool reader_require(struct reader *reader, const struct document_node *mapping, const char *key,
                    struct document_node **value) {
    *value = document_get(mapping, key);
    if (*value == NULL) {
        return reader_fail(reader, mapping, "'%s' is missing", key);
    }
    const struct reader_question question = {
        .node = mapping, .kind = READER_MAPPING, .required = key};
    return !reader->notes_questions || note_question(reader, &question);
}

/* The text of a scalar that is there, or the message that it must be `expected`. */
static bool scalar_text(struct reader *reader, struct document_node *node, enum reader_kind kind,
                        const char *expected, const char **text) {
    if (node->kind != DOCUMENT_SCALAR || node->text == NULL) {
        return reader_fail_expected(reader, node, expected);
    }
    return reader_scalar(reader, node, text) &&
           (kind == READER_WORD || reader_asks(reader, node, kind, NULL));
}

bool reader_is_name(const char *text, bool dash_allowed) {
    size_t length = strlen(text);
    if (length == 0 || length > READER_NAME_BYTES_MAX || (text[0] >= '0' && text[0] <= '9')) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(c >= '0' && c <= '9') && !(dash_allowed && c == '-' && i > 0)) {
            return false;
        }
    }
    return true;
}

bool reader_name(struct reader *reader, struct document_node *node, bool dash_allowed,
                 const char **value) {
    static const char with_dash[] = "a name of letters, digits, '_' and '-', at most 64";
    static const char without[] = "a name of letters, digits and '_', at most 64";
    const char *expected = dash_allowed ? with_dash : without, *text;
    if (node == NULL) {
        return true;
    }
    if (!scalar_text(reader, node, READER_TEXT, expected, &text)) {
        return false;
    }
    if (!reader_is_name(text, dash_allowed)) {
        return reader_fail_expected(reader, node, expected);
    }
    *value = text;
    return true;
}

/* The same for a text that is nearly a number of the wanted kind: says what is wrong with it. */
static bool fail_fault(struct reader *reader, const struct document_node *node,
                       enum value_fault fault, const char *expected, const char *finest) {
    const char *shown = reader_shown(reader, node->text);
    const char *key = node->key == NULL ? "value" : reader_shown(reader, node->key);
    switch (fault) {
    case VALUE_NO_UNIT:
        return reader_fail(reader, node, "'%s' must be %s, got '%s' (no unit)", key, expected,
                           shown);
    case VALUE_NOT_WHOLE:
        return reader_fail(reader, node, "'%s' must be %s, got '%s' (finer than %s)", key, expected,
                           shown, finest);
    default: return reader_fail_expected(reader, node, expected);
    }
}

static bool fail_range(struct reader *reader, const struct document_node *node, const char *text,
                       const char *min, const char *max) {
    const char *shown = reader_shown(reader, text);
    if (node->key == NULL) {
        return reader_fail(reader, node, "%s is outside of %s … %s", shown, min, max);
    }
    return reader_fail(reader, node, "'%s' is %s, outside of %s … %s",
                       reader_shown(reader, node->key), shown, min, max);
}

bool reader_count(struct reader *reader, struct document_node *node, int64_t min, int64_t max,
                  int64_t *value) {
    static const char expected[] = "a whole number";
    const char *text;
    if (node == NULL) {
        return true;
    }
    if (!scalar_text(reader, node, READER_COUNT, expected, &text)) {
        return false;
    }
    int64_t number = 0;
    enum value_fault fault = value_int64(text, &number);
    if (fault != VALUE_OK && fault != VALUE_TOO_LARGE) {
        return reader_fail_expected(reader, node, expected);
    }
    if (fault == VALUE_TOO_LARGE || number < min || number > max) {
        char least[VALUE_TEXT_BYTES], most[VALUE_TEXT_BYTES];
        snprintf(least, sizeof least, "%" PRId64, min);
        snprintf(most, sizeof most, "%" PRId64, max);
        return fail_range(reader, node, text, least, most);
    }
    *value = number;
    return true;
}

bool reader_number(struct reader *reader, struct document_node *node, double min, double max,
                   double *value) {
    static const char expected[] = "a number";
    const char *text;
    if (node == NULL) {
        return true;
    }
    if (!scalar_text(reader, node, READER_NUMBER, expected, &text)) {
        return false;
    }
    double number = 0;
    enum value_fault fault = value_double(text, &number);
    if (fault == VALUE_SYNTAX) {
        return reader_fail_expected(reader, node, expected);
    }
    if (fault != VALUE_OK || number < min || number > max) {
        char least[VALUE_TEXT_BYTES], most[VALUE_TEXT_BYTES];
        snprintf(least, sizeof least, "%.15g", min);
        snprintf(most, sizeof most, "%.15g", max);
        return fail_range(reader, node, text, least, most);
    }
    *value = number;
    return true;
}

bool reader_duration(struct reader *reader, struct document_node *node, sim_ns min, sim_ns max,
                     sim_ns *value) {
    static const char expected[] = "a duration such as 250ms or 10m";
    const char *text;
    if (node == NULL) {
        return true;
    }
    if (!scalar_text(reader, node, READER_DURATION, expected, &text)) {
        return false;
    }
    sim_ns duration_ns = 0;
    enum value_fault fault = value_duration_ns(text, false, &duration_ns);
    if (fault != VALUE_OK && fault != VALUE_TOO_LARGE) {
        return fail_fault(reader, node, fault, expected, "1 ns");
    }
    if (fault == VALUE_TOO_LARGE || duration_ns < min || duration_ns > max) {
        char least[VALUE_TEXT_BYTES], most[VALUE_TEXT_BYTES];
        value_print_duration(min, least);
        value_print_duration(max, most);
        return fail_range(reader, node, text, least, most);
    }
    *value = duration_ns;
    return true;
}

bool reader_bytes(struct reader *reader, struct document_node *node, int64_t min, int64_t max,
                  int64_t *value) {
    static const char expected[] = "a size such as 200B or 4KB";
    const char *text;
    if (node == NULL) {
        return true;
    }
    if (!scalar_text(reader, node, READER_BYTES, expected, &text)) {
        return false;
    }
    int64_t bytes = 0;
    enum value_fault fault = value_bytes(text, &bytes);
    if (fault != VALUE_OK && fault != VALUE_TOO_LARGE) {
        return fail_fault(reader, node, fault, expected, "1 byte");
    }
    if (fault == VALUE_TOO_LARGE || bytes < min || bytes > max) {
        char least[VALUE_TEXT_BYTES], most[VALUE_TEXT_BYTES];
        value_print_bytes(min, least);
        value_print_bytes(max, most);
        return fail_range(reader, node, text, least, most);
    }
    *value = bytes;
    return true;
}

bool reader_bool(struct reader *reader, struct document_node *node, bool *value) {
    static const char *const words[] = {"false", "true", "False", "True", "FALSE", "TRUE"};
    const char *text;
    if (node == NULL) {
        return true;
    }
    if (!scalar_text(reader, node, READER_BOOL, "true or false", &text)) {
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i]) == 0) {
            *value = i % 2 == 1;
            return true;
        }
    }
    return reader_fail_expected(reader, node, "true or false");
}

bool reader_word(struct reader *reader, struct document_node *node, const struct reader_keys *words,
                 uint32_t *value) {
    const char *text;
    if (node == NULL) {
        return true;
    }
    if (!scalar_text(reader, node, READER_WORD, "a word", &text)) {
        return false;
    }
    for (uint32_t i = 0; words->known[i] != NULL; i++) {
        if (strcmp(words->known[i], text) == 0) {
            *value = i;
            return reader_asks(reader, node, READER_WORD, words->known);
        }
    }
    return reader_fail_word(reader, &node->position, node->key != NULL ? node->key : "word", text,
                            words);
}
