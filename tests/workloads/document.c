#include "workloads/document.h"

#include "tests/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

struct parsed {
    struct arena arena;
    struct document_node *root;
    struct err err;
    bool is_good;
};

static struct parsed parse(const char *text, size_t length, bool is_json) {
    struct parsed parsed = {.root = NULL};
    struct document_source source = {
        .file = is_json ? "a.json" : "a.yaml", .text = text, .length = length, .is_json = is_json};
    arena_init(&parsed.arena);
    parsed.is_good = document_parse(&parsed.arena, &source, &parsed.root, &parsed.err);
    return parsed;
}

static void finish(struct parsed *parsed) {
    arena_fini(&parsed->arena);
}

/* The tree on one line: text@line:column, {key@l:c=value …}, [value …]. */
static void print_tree(const struct document_node *node, char *out, size_t bytes) {
    size_t used = strlen(out);
    if (node->kind == DOCUMENT_SCALAR) {
        snprintf(out + used, bytes - used, "%s%s%s@%u:%u", node->tag != NULL ? node->tag : "",
                 node->tag != NULL ? " " : "", node->text != NULL ? node->text : "<null>",
                 node->position.line, node->position.column);
        return;
    }
    snprintf(out + used, bytes - used, "%s@%u:%u", node->kind == DOCUMENT_MAPPING ? "{" : "[",
             node->position.line, node->position.column);
    for (const struct document_node *child = node->first; child != NULL; child = child->next) {
        used = strlen(out);
        if (child->key != NULL) {
            snprintf(out + used, bytes - used, " %s@%u:%u=", child->key, child->key_position.line,
                     child->key_position.column);
        } else {
            snprintf(out + used, bytes - used, " ");
        }
        print_tree(child, out, bytes);
    }
    used = strlen(out);
    snprintf(out + used, bytes - used, "%s", node->kind == DOCUMENT_MAPPING ? "}" : "]");
}

struct tree_case {
    const char *text, *tree;
};

static const struct tree_case trees[] = {
    {"a: 1\nb: [x, 'y z']\n", "{@1:1 a@1:1=1@1:4 b@2:1=[@2:4 x@2:5 y z@2:9]}"},
    {"\xef\xbb\xbf"
     "a: 1\n",
     "{@1:1 a@1:1=1@1:4}"},
    {"a: 1", "{@1:1 a@1:1=1@1:4}"},
    {"a: no\nb: 010\nc: 1_0\n", "{@1:1 a@1:1=no@1:4 b@2:1=010@2:4 c@3:1=1_0@3:4}"},
    {"a: ~\nb: null\nc:\nd: 'null'\ne: ''\n",
     "{@1:1 a@1:1=<null>@1:4 b@2:1=<null>@2:4 c@3:1=<null>@3:1 d@4:1=null@4:5 e@5:1=@5:5}"},
    {"r: !Sub \"${x}-y\"\n", "{@1:1 r@1:1=!Sub ${x}-y@1:10}"},
    {"\xc3\xa9: [\xe2\x82\xac, b]\n", "{@1:1 \xc3\xa9@1:1=[@1:4 \xe2\x82\xac@1:5 b@1:8]}"},
    {"a: &x {k: 1}\nb: *x\n", "{@1:1 a@1:1={@1:7 k@1:8=1@1:11} b@2:1={@1:7 k@1:8=1@1:11}}"},
    {"--- {a: 1}\n", "{@1:5 a@1:6=1@1:9}"},
    {"a: |\n  x\n  y\n", "{@1:1 a@1:1=x\ny\n@2:1}"},
};

static void check_texts_with_their_places(const struct tree_case *row) {
    struct parsed parsed = parse(row->text, strlen(row->text), false);
    ck_assert_msg(parsed.is_good, "%s", parsed.err.text);
    char tree[500] = "";
    print_tree(parsed.root, tree, sizeof tree);
    ck_assert_str_eq(tree, row->tree);
    finish(&parsed);
}

START_TEST(gives_texts_with_their_places) {
    for (size_t i = 0; i < ROWS(trees); i++) {
        check_texts_with_their_places(&trees[i]);
    }
}
END_TEST

struct bad_case {
    const char *text;
    size_t length; /* 0: strlen */
    const char *message;
};

static const struct bad_case bad_yaml[] = {
    {"", 0, "a.yaml:1:1: there is nothing in it; expected keys and values"},
    {"# only\n", 0, "a.yaml:1:1: there is nothing in it; expected keys and values"},
    {"\xef\xbb\xbf", 0, "a.yaml:1:1: there is nothing in it; expected keys and values"},
    {"\x7f"
     "ELF\x02\x01",
     0, "a.yaml:1:1: byte 0x7f is no text; expected UTF-8"},
    {"a: b\nc: \0d\n", 11, "a.yaml:2:4: byte 0x00 is no text; expected UTF-8"},
    {"a: \xff\n", 0, "a.yaml:1:4: byte 0xff is no text; expected UTF-8"},
    {"% \xff", 0, "a.yaml:1:3: byte 0xff is no text; expected UTF-8"},
    {"a: \xc3\xa9\r\nb: \x01\n", 0, "a.yaml:2:4: byte 0x01 is no text; expected UTF-8"},
    {"a: \xed\xa0\x80\n", 0, "a.yaml:1:4: byte 0xed is no text; expected UTF-8"},
    {"a: \xc0\x80\n", 0, "a.yaml:1:4: byte 0xc0 is no text; expected UTF-8"},
    {"a: \xe2\x82", 0, "a.yaml:1:4: byte 0xe2 is no text; expected UTF-8"},
    {"a: \xc2\x85\n", 0, "a.yaml:1:4: byte 0xc2 is no text; expected UTF-8"},
    {"a: \"x\nb: 1\n", 0,
     "a.yaml:1:4: a quoted text is not closed, or its next line is not indented"},
    {"a: 'x", 0, "a.yaml:1:5: a quoted text is not closed, or its next line is not indented"},
    {"a:\n\tb: 1\n", 0, "a.yaml:2:1: tab character may not be used as indentation"},
    {"a: 1\nb: 2\na: 3\n", 0, "a.yaml:3:1: key 'a' stands twice; the first is in line 1"},
    {"x: {a: 1, b: {}, a: 3}\n", 0, "a.yaml:1:18: key 'a' stands twice; the first is in line 1"},
    {"a: 1\n---\nb: 2\n", 0, "a.yaml:2:1: a second document begins; expected one in a file"},
    {"a: *b\n", 0, "a.yaml:1:5: alias '*b' has no anchor '&b' before it"},
    {"a: &a {b: *a}\n", 0, "a.yaml:1:12: alias '*a' stands inside of its own anchor"},
    {"a: &a {b: 1}\nc:\n  <<: *a\n", 0,
     "a.yaml:3:3: merge keys ('<<') are not supported; write the keys out"},
    {"[a]: b\n", 0, "a.yaml:1:1: a key must be a text"},
    {"{a: 1}: b\n", 0, "a.yaml:1:1: a key must be a text"},
    {": b\n", 0, "a.yaml:1:1: an empty key"},
    {"!x a: b\n", 0, "a.yaml:1:4: an anchor or tag on a key is not supported"},
    {"a: [1, 2\n", 0, "a.yaml:2:1: flow sequence without a closing bracket"},
    {"a: \"\\0\"\n", 0, "a.yaml:1:5: a control character in a text"},
    {"a: \"\\x1b[31m\"\n", 0, "a.yaml:1:5: a control character in a text"},
    {"\"\\a\": 1\n", 0, "a.yaml:1:2: a control character in a text"},
};

static const struct bad_case bad_json[] = {
    {"{\"a\": tru}", 0, "a.json:1:7: invalid JSON plain scalar"},
    {"{\"a\": 1,}", 0, "a.json:1:8: JSON disallows trailing comma before closing brace"},
    {"{\"a\": 1,\n \"a\": 2}", 0, "a.json:2:3: key 'a' stands twice; the first is in line 1"},
    {"{a: 1}", 0, "a.json:1:2: invalid JSON plain scalar"},
    {"{\"a\": # note\n 1}", 0, "a.json:1:7: this is not JSON; expected a value"},
    {"", 0, "a.json:1:1: there is nothing in it; expected keys and values"},
};

static void check_refusal(const struct bad_case *row, bool is_json) {
    size_t length = row->length != 0 ? row->length : strlen(row->text);
    /* A buffer of just that size: a read beyond it is seen by the sanitizer. */
    char *text = malloc(length + (length == 0));
    ck_assert_ptr_nonnull(text);
    memcpy(text, row->text, length);
    struct parsed parsed = parse(text, length, is_json);
    ck_assert_msg(!parsed.is_good, "taken: %s", row->text);
    ck_assert_int_eq(parsed.err.kind, ERR_INPUT);
    ck_assert_str_eq(parsed.err.text, row->message);
    finish(&parsed);
    free(text);
}

START_TEST(refuses_bad_yaml_with_its_place) {
    for (size_t i = 0; i < ROWS(bad_yaml); i++) {
        check_refusal(&bad_yaml[i], false);
    }
}
END_TEST

START_TEST(refuses_bad_json_with_its_place) {
    for (size_t i = 0; i < ROWS(bad_json); i++) {
        check_refusal(&bad_json[i], true);
    }
}
END_TEST

START_TEST(refuses_an_alias_bomb_in_bounded_memory) {
    char text[1000] = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 9; i++) {
        size_t used = strlen(text);
        int p = i - 1;
        snprintf(text + used, sizeof text - used,
                 "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i, p, p, p, p, p,
                 p, p, p, p);
    }
    struct parsed parsed = parse(text, strlen(text), false);
    ck_assert(!parsed.is_good);
    ck_assert_str_eq(parsed.err.text, "a.yaml:6:35: more than 500000 values (aliases count as what "
                                      "they stand for)");
    ck_assert_uint_lt(parsed.arena.used_bytes, (size_t)200 << 20);
    finish(&parsed);
}
END_TEST

START_TEST(refuses_more_levels_than_64) {
    char text[400] = "a: ";
    memset(text + 3, '[', 63);
    memset(text + 66, ']', 63);
    struct parsed parsed = parse(text, 129, false);
    ck_assert_msg(parsed.is_good, "%s", parsed.err.text);
    finish(&parsed);
    memset(text + 3, '[', 64);
    memset(text + 67, ']', 64);
    parsed = parse(text, 131, false);
    ck_assert_str_eq(parsed.err.text, "a.yaml:1:67: more than 64 levels");
    finish(&parsed);
    /* An alias brings in the levels of what it stands for. */
    strcpy(text, "a: &a [[[[[x]]]]]\nb: ");
    size_t used = strlen(text);
    memset(text + used, '[', 60);
    strcpy(text + used + 60, "*a");
    memset(text + used + 62, ']', 60);
    parsed = parse(text, used + 122, false);
    ck_assert_str_eq(parsed.err.text, "a.yaml:2:65: alias '*a' makes more than 64 levels");
    finish(&parsed);
}
END_TEST

START_TEST(copies_what_an_alias_stands_for) {
    static const char text[] = "a: &x {k: 1}\nb: *x\n";
    struct parsed parsed = parse(text, strlen(text), false);
    struct document_node *a = document_get(parsed.root, "a"), *b = document_get(parsed.root, "b");
    document_get(b, "k")->text = "2";
    ck_assert_str_eq(document_get(a, "k")->text, "1");
    finish(&parsed);
}
END_TEST

START_TEST(puts_and_removes_keys) {
    static const char text[] = "{a: 1, b: 2, c: 3}";
    struct parsed parsed = parse(text, strlen(text), false);
    struct source_position nowhere = {NULL, 0, 0};
    const char *const keys[] = {"c", "a", "d"};
    for (size_t i = 0; i < 3; i++) {
        struct document_node *node =
            document_new(&parsed.arena, DOCUMENT_SCALAR, "9", &nowhere, &parsed.err);
        document_put(parsed.root, keys[i], node);
    }
    char tree[200] = "";
    document_remove(parsed.root, "b");
    document_remove(parsed.root, "zzz");
    print_tree(parsed.root, tree, sizeof tree);
    ck_assert_str_eq(tree, "{@1:1 a@0:0=9@0:0 c@0:0=9@0:0 d@0:0=9@0:0}");
    ck_assert_uint_eq(parsed.root->child_count, 3);
    document_remove(parsed.root, "d");
    ck_assert_str_eq(parsed.root->last->key, "c");
    document_remove(parsed.root, "c");
    document_remove(parsed.root, "a");
    ck_assert_ptr_null(parsed.root->first);
    ck_assert_ptr_null(parsed.root->last);
    finish(&parsed);
}
END_TEST

START_TEST(loads_regular_files_only) {
    struct arena arena;
    struct err err = {.kind = ERR_NONE};
    const char *text = NULL;
    size_t length = 0;
    char folder[] = "/tmp/ddbsim-document-XXXXXX", path[64], pipe[64];
    arena_init(&arena);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.yaml", folder);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("a: 1\n", file);
    fclose(file);
    ck_assert(document_load(&arena, path, &text, &length, &err));
    ck_assert_uint_eq(length, 5);
    ck_assert_str_eq(text, "a: 1\n");
    ck_assert(!document_load(&arena, folder, &text, &length, &err));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "not a regular file"));
    err.kind = ERR_NONE;
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    ck_assert(!document_load(&arena, pipe, &text, &length, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "not a regular file"));
    err.kind = ERR_NONE;
    ck_assert_int_eq(truncate(path, (off_t)DOCUMENT_BYTES_MAX + 1), 0);
    ck_assert(!document_load(&arena, path, &text, &length, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "larger than 16 MB"));
    err.kind = ERR_NONE;
    unlink(path);
    unlink(pipe);
    rmdir(folder);
    ck_assert(!document_load(&arena, path, &text, &length, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "No such file"));
    arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/document");
    TCase *tcase = tcase_create("document");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, gives_texts_with_their_places);
    tcase_add_test(tcase, refuses_bad_yaml_with_its_place);
    tcase_add_test(tcase, refuses_bad_json_with_its_place);
    tcase_add_test(tcase, refuses_an_alias_bomb_in_bounded_memory);
    tcase_add_test(tcase, refuses_more_levels_than_64);
    tcase_add_test(tcase, copies_what_an_alias_stands_for);
    tcase_add_test(tcase, puts_and_removes_keys);
    tcase_add_test(tcase, loads_regular_files_only);
    return suite_run(suite);
}
