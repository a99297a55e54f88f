#include "workloads/document.h"

#include "sim/check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool document_is_json(const char *path) {
    size_t length = strlen(path);
    return length >= 5 && strcmp(path + length - 5, ".json") == 0;
}

struct document_node *document_get(const struct document_node *mapping, const char *key) {
    for (struct document_node *child = mapping->first; child != NULL; child = child->next) {
        if (child->key != NULL && strcmp(child->key, key) == 0) {
            return child;
        }
    }
    return NULL;
}

struct document_node *document_new(struct arena *arena, enum document_kind kind, const char *text,
                                   const struct source_position *position, struct err *err) {
    struct document_node *node = ARENA_NEW(arena, struct document_node, "document", err);
    if (node != NULL) {
        *node = (struct document_node){.kind = kind,
                                       .text = text,
                                       .position = *position,
                                       .key_position = *position,
                                       .size = 1};
    }
    return node;
}

void document_put(struct document_node *mapping, const char *key, struct document_node *child) {
    SIM_CHECK(mapping->kind == DOCUMENT_MAPPING);
    child->key = key;
    child->next = NULL;
    struct document_node *before = NULL;
    for (struct document_node *old = mapping->first; old != NULL; before = old, old = old->next) {
        if (strcmp(old->key, key) != 0) {
            continue;
        }
        child->next = old->next;
        *(before == NULL ? &mapping->first : &before->next) = child;
        mapping->last = mapping->last == old ? child : mapping->last;
        return;
    }
    *(mapping->first == NULL ? &mapping->first : &mapping->last->next) = child;
    mapping->last = child;
    mapping->child_count++;
}

void document_put_over(struct document_node *below, struct document_node *above) {
    struct document_node *next;
    for (struct document_node *child = above->first; child != NULL; child = next) {
        next = child->next;
        struct document_node *old = document_get(below, child->key);
        if (old != NULL && old->kind == DOCUMENT_MAPPING && child->kind == DOCUMENT_MAPPING) {
            document_put_over(old, child);
        } else {
            document_put(below, child->key, child);
        }
    }
}

void document_remove(struct document_node *mapping, const char *key) {
    struct document_node *before = NULL;
    for (struct document_node *old = mapping->first; old != NULL; before = old, old = old->next) {
        if (strcmp(old->key, key) == 0) {
            *(before == NULL ? &mapping->first : &before->next) = old->next;
            mapping->last = mapping->last == old ? before : mapping->last;
            mapping->child_count--;
            return;
        }
    }
}

/* Length of the UTF-8 sequence at c, 0 when it is broken, overlong or no character. */
static size_t sequence_bytes(const unsigned char *c, size_t left) {
    if (c[0] < 0x80) {
        bool text = c[0] >= 0x20 || c[0] == '\t' || c[0] == '\n' || c[0] == '\r';
        return text && c[0] != 0x7f ? 1 : 0;
    }
    size_t bytes = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4 || bytes > left) {
        return 0;
    }
    uint32_t point = c[0] & (0x7fU >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        point = point << 6 | (c[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool is_control = point < 0xa0;
    bool is_bad = point < least[bytes] || point > 0x10ffff || (point & ~0x7ffU) == 0xd800 ||
                  (point & 0xfffe) == 0xfffe || point == 0xfeff;
    return is_control || is_bad ? 0 : bytes;
}

size_t document_bad_byte(const char *text, size_t length) {
    size_t at = 0;
    while (at < length) {
        size_t bytes = sequence_bytes((const unsigned char *)text + at, length - at);
        if (bytes == 0) {
            break;
        }
        at += bytes;
    }
    return at;
}

static bool read_all(int file, char *text, size_t length) {
    size_t done = 0;
    while (done < length) {
        ssize_t bytes = read(file, text + done, length - done);
        if (bytes < 0 && errno == EINTR) {
            continue;
        }
        if (bytes <= 0) {
            errno = bytes == 0 ? EIO : errno; /* it shrank meanwhile */
            return false;
        }
        done += (size_t)bytes;
    }
    return true;
}

static bool load_open(struct arena *arena, const char *path, int file, const char **text,
                      size_t *length, struct err *err) {
    struct stat status;
    if (fstat(file, &status) != 0) {
        return err_set(err, ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return err_set(err, ERR_IO, "cannot read '%s': not a regular file", path);
    }
    if ((uint64_t)status.st_size > DOCUMENT_BYTES_MAX) {
        return err_set(err, ERR_IO, "cannot read '%s': larger than %zu MB", path,
                       DOCUMENT_BYTES_MAX >> 20);
    }
    size_t bytes = (size_t)status.st_size;
    char *buffer = arena_alloc(arena, bytes + 1, 1, "file text", err);
    if (buffer == NULL) {
        return false;
    }
    if (!read_all(file, buffer, bytes)) {
        return err_set(err, ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    }
    *text = buffer;
    *length = bytes;
    return true;
}

bool document_load(struct arena *arena, const char *path, const char **text, size_t *length,
                   struct err *err) {
    /* Not blocking: a named pipe must be refused, not waited for. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return err_set(err, ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    }
    bool loaded = load_open(arena, path, file, text, length, err);
    close(file);
    return loaded;
}
