#include "workloads/template_parse.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct field fields[] = {
    {.name = "player", .n = 10}, {.name = "game", .n = 10},  {.name = "bytes sent", .n = 10},
    {.name = "twice", .n = 10},  {.name = "twice", .n = 10}, {.name = "random_id", .n = 10},
};
static const struct template_scope scope = {fields, sizeof fields / sizeof fields[0]};

struct parsed {
    struct arena arena;
    struct key_part_list list;
    struct err err;
    bool good;
};

static void parse_in(struct parsed *parsed, const char *text, const struct template_scope *names) {
    const struct scenario_text scenario_text = {text, {"s.yaml", 12, 5}, NULL};
    arena_init(&parsed->arena);
    parsed->err = (struct err){.kind = ERR_NONE};
    parsed->good =
        template_parse(&parsed->list, &parsed->arena, &scenario_text, names, &parsed->err);
}

static void close_parsed(struct parsed *parsed) {
    arena_fini(&parsed->arena);
}

START_TEST(parts_are_recognised) {
    static const struct {
        const char *text;
        struct key_part part;
    } rows[] = {
        {"x", {.kind = KEY_PART_LITERAL, .text = "x"}},
        {"{{a}}{{", {.kind = KEY_PART_LITERAL, .text = "{a}{"}},
        {"{player}", {.kind = KEY_PART_FIELD}},
        {"{ game }", {.kind = KEY_PART_FIELD, .field = 1}},
        {"{bytes sent}", {.kind = KEY_PART_FIELD, .field = 2}},
        {"{random_id}", {.kind = KEY_PART_FIELD, .field = 5}},
        {"{hash(game) % 8}", {.kind = KEY_PART_HASH, .field = 1, .modulus = 8}},
        {"{hash( game )%1048576}", {.kind = KEY_PART_HASH, .field = 1, .modulus = 1048576}},
        {"{random % 16}", {.kind = KEY_PART_RANDOM, .modulus = 16}},
        {"{random%1}", {.kind = KEY_PART_RANDOM, .modulus = 1}},
        {"{each 4}", {.kind = KEY_PART_EACH, .modulus = 4}},
        {"{seq}", {.kind = KEY_PART_SEQ}},
        {"{now:%Y}", {.kind = KEY_PART_NOW, .text = "%Y", .unit = CALENDAR_YEAR}},
        {"{now:%H%%%d}", {.kind = KEY_PART_NOW, .text = "%H%%%d", .unit = CALENDAR_HOUR}},
        {"{now:%Y-%m-%d %H:%M:%S}",
         {.kind = KEY_PART_NOW, .text = "%Y-%m-%d %H:%M:%S", .unit = CALENDAR_SECOND}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct parsed parsed;
        parse_in(&parsed, rows[i].text, &scope);
        ck_assert_msg(parsed.good, "'%s': %s", rows[i].text, parsed.err.text);
        ck_assert_uint_eq(parsed.list.count, 1);
        const struct key_part *part = &parsed.list.parts[0];
        ck_assert_msg(part->kind == rows[i].part.kind, "'%s'", rows[i].text);
        ck_assert_uint_eq(part->field, rows[i].part.field);
        ck_assert_uint_eq(part->modulus, rows[i].part.modulus);
        ck_assert_int_eq(part->unit, rows[i].part.unit);
        if (rows[i].part.text != NULL) {
            ck_assert_uint_eq(part->text_bytes, strlen(rows[i].part.text));
            ck_assert_mem_eq(part->text, rows[i].part.text, part->text_bytes);
        }
        close_parsed(&parsed);
    }
}
END_TEST

START_TEST(parts_stand_in_order_with_their_places) {
    static const enum key_part_kind kinds[] = {KEY_PART_LITERAL, KEY_PART_FIELD, KEY_PART_SEQ,
                                               KEY_PART_LITERAL, KEY_PART_EACH};
    static const uint32_t offsets[] = {0, 2, 10, 15, 18};
    struct parsed parsed;
    parse_in(&parsed, "P#{player}{seq}#}}{each 3}", &scope);
    ck_assert_msg(parsed.good, "%s", parsed.err.text);
    ck_assert_uint_eq(parsed.list.count, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(parsed.list.parts[i].kind, kinds[i]);
        ck_assert_uint_eq(parsed.list.parts[i].offset, offsets[i]);
    }
    ck_assert_mem_eq(parsed.list.parts[3].text, "#}", 2);
    close_parsed(&parsed);
    parse_in(&parsed, "", &scope);
    ck_assert(parsed.good);
    ck_assert_uint_eq(parsed.list.count, 0);
    close_parsed(&parsed);
}
END_TEST

#define N_MESSAGE "expected a whole number from 1 to 1048576"

START_TEST(a_fault_is_pointed_at) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"P#{playr}", "s.yaml:12:8: unknown field 'playr'; did you mean 'player'?"},
        {"P#{zzzzzz}", "s.yaml:12:8: unknown field 'zzzzzz'; expected a field, a trace column, "
                       "hash(field) % N, random % N, each N, now:FORMAT or seq"},
        {"\xc3\xa9{playr}", "s.yaml:12:7: unknown field 'playr'; did you mean 'player'?"},
        {"{hash(gam) % 4}", "s.yaml:12:11: unknown field 'gam'; did you mean 'game'?"},
        {"{hash(game % 4}", "s.yaml:12:6: expected {hash(field) % N}, ')' is missing"},
        {"{hash(game) 4}", "s.yaml:12:17: expected {hash(field) % N}, '%' is missing"},
        {"{hash(game)}", "s.yaml:12:16: expected {hash(field) % N}, '%' is missing"},
        {"{hash(game) % 0}", "s.yaml:12:19: N of {hash(field) % N} is '0', " N_MESSAGE},
        {"{hash(game) % 1048577}", "s.yaml:12:19: N of {hash(field) % N} is '1048577', " N_MESSAGE},
        {"{random}", "s.yaml:12:12: expected {random % N}, '%' is missing"},
        {"{random %}", "s.yaml:12:14: N of {random % N} is '', " N_MESSAGE},
        {"{random % 99999999999999999999}",
         "s.yaml:12:15: N of {random % N} is '99999999999999999999', " N_MESSAGE},
        {"{each}", "s.yaml:12:10: N of {each N} is '', " N_MESSAGE},
        {"{each -1}", "s.yaml:12:11: N of {each N} is '-1', " N_MESSAGE},
        {"{each 2.5}", "s.yaml:12:11: N of {each N} is '2.5', " N_MESSAGE},
        {"a{player", "s.yaml:12:6: '{' is not closed; write '{{' for a brace"},
        {"{a{player}", "s.yaml:12:5: '{' is not closed; write '{{' for a brace"},
        {"a}b", "s.yaml:12:6: '}' without '{'; write '}}' for a brace"},
        {"a{}", "s.yaml:12:6: nothing between '{' and '}'; write '{{' for a brace"},
        {"{  }", "s.yaml:12:5: nothing between '{' and '}'; write '{{' for a brace"},
        {"{now}", "s.yaml:12:6: {now} needs a format, such as {now:%Y-%m-%d}"},
        {"{now:}", "s.yaml:12:10: {now:…} has none of %Y %m %d %H %M %S"},
        {"{now:%%}", "s.yaml:12:10: {now:…} has none of %Y %m %d %H %M %S"},
        {"{now:%Y-%j}", "s.yaml:12:13: '%j' in {now:…} is not one of %Y %m %d %H %M %S %%"},
        {"{now:%Y%}", "s.yaml:12:12: '%' in {now:…} is not one of %Y %m %d %H %M %S %%"},
        {"{twice}", "s.yaml:12:6: 'twice' is both a field and a trace column; rename one"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct parsed parsed;
        parse_in(&parsed, rows[i].text, &scope);
        ck_assert_msg(!parsed.good, "'%s' was taken", rows[i].text);
        ck_assert_int_eq(parsed.err.kind, ERR_INPUT);
        ck_assert_str_eq(parsed.err.text, rows[i].message);
        close_parsed(&parsed);
    }
}
END_TEST

START_TEST(keywords_as_names_are_fields_except_seq) {
    static const struct field named[] = {
        {.name = "each"}, {.name = "random"}, {.name = "now"}, {.name = "hash"}, {.name = "seq"}};
    static const struct template_scope all = {named, 5}, no_seq = {named, 4};
    static const char *const texts[] = {"{each}", "{random}", "{now}", "{hash}"};
    struct parsed parsed;
    for (uint32_t i = 0; i < 4; i++) {
        parse_in(&parsed, texts[i], &no_seq);
        ck_assert_msg(parsed.good, "%s", parsed.err.text);
        ck_assert_int_eq(parsed.list.parts[0].kind, KEY_PART_FIELD);
        ck_assert_uint_eq(parsed.list.parts[0].field, i);
        close_parsed(&parsed);
    }
    parse_in(&parsed, "{each 3}{random % 2}{now:%Y}", &no_seq);
    ck_assert_msg(parsed.good, "%s", parsed.err.text);
    ck_assert_int_eq(parsed.list.parts[0].kind, KEY_PART_EACH);
    ck_assert_int_eq(parsed.list.parts[1].kind, KEY_PART_RANDOM);
    ck_assert_int_eq(parsed.list.parts[2].kind, KEY_PART_NOW);
    close_parsed(&parsed);
    parse_in(&parsed, "{seq}", &all);
    ck_assert_str_eq(parsed.err.text,
                     "s.yaml:12:6: {seq} is the operation's number, but a field or "
                     "trace column is named 'seq' too; rename it");
    close_parsed(&parsed);
}
END_TEST

START_TEST(a_template_of_many_bytes_is_refused) {
    char text[TEMPLATE_BYTES_MAX + 2];
    memset(text, 'x', sizeof text);
    text[TEMPLATE_BYTES_MAX] = '\0';
    struct parsed parsed;
    parse_in(&parsed, text, &scope);
    ck_assert(parsed.good);
    close_parsed(&parsed);
    text[TEMPLATE_BYTES_MAX] = 'x';
    text[TEMPLATE_BYTES_MAX + 1] = '\0';
    parse_in(&parsed, text, &scope);
    ck_assert_str_eq(parsed.err.text,
                     "s.yaml:12:5: a template of 16385 bytes, at most 16384 are taken");
    close_parsed(&parsed);
}
END_TEST

START_TEST(positions_count_characters_of_one_line) {
    struct scenario_text text = {"a\xc3\xa9{x}", {"s.yaml", 3, 10}, NULL};
    ck_assert_uint_eq(template_position(&text, 3).column, 12);
    ck_assert_uint_eq(template_position(&text, 3).line, 3);
    text.text = "a\nb{x}"; /* which line of the file that is, is not known */
    ck_assert_uint_eq(template_position(&text, 3).column, 10);
    text = (struct scenario_text){"abc", {"--set", 0, 0}, NULL};
    ck_assert_uint_eq(template_position(&text, 2).column, 0);
}
END_TEST

/* Written "a${shards}b${none}${x}c" from column 10 on, with "eight", "" and "\xc3\xa9". */
START_TEST(positions_behind_a_parameter_are_those_of_the_file) {
    static const struct text_splice x = {NULL, 7, 2, 4}, none = {&x, 7, 0, 7},
                                    shards = {&none, 1, 5, 9};
    const struct scenario_text text = {"aeightb\xc3\xa9"
                                       "c",
                                       {"s.yaml", 3, 10},
                                       &shards};
    static const struct {
        size_t offset;
        uint32_t column;
    } rows[] = {{0, 10}, {1, 11}, {3, 11}, {5, 11}, {6, 20}, {9, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_uint_eq(template_position(&text, rows[i].offset).column, rows[i].column);
    }
}
END_TEST

START_TEST(aborts_without_a_text) {
    struct parsed parsed;
    parse_in(&parsed, NULL, &scope);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/template_parse");
    TCase *tcase = tcase_create("template_parse");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, parts_are_recognised);
    tcase_add_test(tcase, parts_stand_in_order_with_their_places);
    tcase_add_test(tcase, a_fault_is_pointed_at);
    tcase_add_test(tcase, keywords_as_names_are_fields_except_seq);
    tcase_add_test(tcase, a_template_of_many_bytes_is_refused);
    tcase_add_test(tcase, positions_count_characters_of_one_line);
    tcase_add_test(tcase, positions_behind_a_parameter_are_those_of_the_file);
    tcase_add_test_raise_signal(tcase, aborts_without_a_text, SIGABRT);
    return suite_run(suite);
}
