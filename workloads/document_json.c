#include "workloads/document_json.h"

#include "workloads/document.h"

#include <stdbool.h>
#include <string.h>

enum place {
    PLACE_VALUE,
    PLACE_FIRST_VALUE, /* of a list, which may end instead */
    PLACE_KEY,
    PLACE_FIRST_KEY, /* of a mapping, which may end instead */
    PLACE_COLON,
    PLACE_COMMA, /* or the end of the list or mapping */
    PLACE_END,   /* of the text */
};

static const char *const expectations[] = {
    [PLACE_VALUE] = "a value",
    [PLACE_FIRST_VALUE] = "a value or ']'",
    [PLACE_KEY] = "a key in double quotes",
    [PLACE_FIRST_KEY] = "a key in double quotes or '}'",
    [PLACE_COLON] = "':'",
    [PLACE_COMMA] = "',' or the end of a list or mapping",
    [PLACE_END] = "the end of the file",
};

struct scan {
    const char *at, *end;
    enum place place;
    bool is_mapping[DOCUMENT_DEPTH_MAX + 1]; /* by level */
    size_t depth;
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Each _end returns where the token that begins at `at` ends, or NULL. */

static const char *escape_end(const char *at, const char *end) {
    if (at == end || *at == '\0' || strchr("\"\\/bfnrtu", *at) == NULL) {
        return NULL;
    }
    if (*at != 'u') {
        return at + 1;
    }
    for (int i = 1; i <= 4; i++) {
        if (at + i >= end || !is_hex(at[i])) {
            return NULL;
        }
    }
    return at + 5;
}

static const char *string_end(const char *at, const char *end) {
    for (at++; at != NULL && at < end && (unsigned char)*at >= 0x20;) {
        if (*at == '"') {
            return at + 1;
        }
        at = *at == '\\' ? escape_end(at + 1, end) : at + 1;
    }
    return NULL;
}

static const char *digits_end(const char *at, const char *end) {
    const char *begin = at;
    while (at < end && is_digit(*at)) {
        at++;
    }
    return at == begin ? NULL : at;
}

static const char *number_end(const char *at, const char *end) {
    at += at < end && *at == '-';
    at = at < end && *at == '0' ? at + 1 : digits_end(at, end);
    if (at != NULL && at < end && *at == '.') {
        at = digits_end(at + 1, end);
    }
    if (at != NULL && at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        at = digits_end(at, end);
    }
    return at;
}

static const char *scalar_end(const char *at, const char *end) {
    static const char *const words[] = {"true", "false", "null"};
    if (*at == '"') {
        return string_end(at, end);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(end - at) >= length && memcmp(at, words[i], length) == 0) {
            return at + length;
        }
    }
    return number_end(at, end);
}

static enum place place_after_value(const struct scan *scan) {
    return scan->depth == 0 ? PLACE_END : PLACE_COMMA;
}

static bool open_level(struct scan *scan, bool is_mapping) {
    if (scan->depth == DOCUMENT_DEPTH_MAX) {
        return false;
    }
    scan->is_mapping[scan->depth++] = is_mapping;
    scan->place = is_mapping ? PLACE_FIRST_KEY : PLACE_FIRST_VALUE;
    scan->at++;
    return true;
}

static bool close_level(struct scan *scan) {
    if (scan->depth == 0 || *scan->at != (scan->is_mapping[scan->depth - 1] ? '}' : ']')) {
        return false;
    }
    scan->depth--;
    scan->place = place_after_value(scan);
    scan->at++;
    return true;
}

static bool take_scalar(struct scan *scan, enum place next) {
    const char *end = scalar_end(scan->at, scan->end);
    if (end == NULL) {
        return false;
    }
    scan->at = end;
    scan->place = next;
    return true;
}

static bool take_value(struct scan *scan) {
    if (*scan->at == '{' || *scan->at == '[') {
        return open_level(scan, *scan->at == '{');
    }
    return take_scalar(scan, place_after_value(scan));
}

/* One token; false: it is none that may stand here. */
static bool take_token(struct scan *scan) {
    const char c = *scan->at;
    switch (scan->place) {
    case PLACE_VALUE: return take_value(scan);
    case PLACE_FIRST_VALUE: return c == ']' ? close_level(scan) : take_value(scan);
    case PLACE_KEY: return c == '"' && take_scalar(scan, PLACE_COLON);
    case PLACE_FIRST_KEY:
        return c == '}' ? close_level(scan) : c == '"' && take_scalar(scan, PLACE_COLON);
    case PLACE_COLON:
        scan->place = PLACE_VALUE;
        scan->at++;
        return c == ':';
    case PLACE_COMMA:
        if (c != ',') {
            return close_level(scan);
        }
        scan->place = scan->is_mapping[scan->depth - 1] ? PLACE_KEY : PLACE_VALUE;
        scan->at++;
        return true;
    case PLACE_END: break;
    }
    return false;
}

size_t document_json_fault(const char *text, size_t length, const char **expected) {
    struct scan scan = {.at = text, .end = text + length, .place = PLACE_VALUE};
    while (true) {
        while (scan.at < scan.end && *scan.at != '\0' && strchr(" \t\r\n", *scan.at) != NULL) {
            scan.at++;
        }
        const char *begin = scan.at;
        *expected = expectations[scan.place];
        if (scan.at == scan.end && scan.place == PLACE_END) {
            *expected = NULL;
            return length;
        }
        if (scan.at == scan.end || !take_token(&scan)) {
            return (size_t)(begin - text);
        }
    }
}
