#include "cli/html.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t length;
static FILE *out;

static void set_up(void) {
    out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
}

static void tear_down(void) {
    free(text);
}

static void expect(const char *expected) {
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, expected);
}

static const struct {
    const char *raw, *html;
} texts[] = {
    {"", ""},
    {"plain text", "plain text"},
    {"<script>alert(\"1\" & '2')</script>",
     "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;"},
    {"two\nlines\tand a tab", "two\nlines\tand a tab"},
    {"\n\n\t", "\n\n\t"},
    {"é€😀", "é€😀"},
    {"a\x01\x7f\xff<", "a\\x01\\x7f\\xff&lt;"},
};

START_TEST(nothing_is_markup) {
    html_text(out, texts[_i].raw);
    expect(texts[_i].html);
}
END_TEST

/* Wherever a long text is cut on the way, no character is: of one to four bytes, at each place. */
START_TEST(a_long_text_keeps_its_characters) {
    static const char *const characters[] = {"x", "é", "€", "😀"};
    static char raw[5000];
    for (int shift = 0; shift < 8; shift++) {
        const size_t bytes = strlen(characters[_i]);
        size_t used = (size_t)shift;
        memset(raw, 'a', used);
        for (; used < 4200; used += bytes) {
            memcpy(raw + used, characters[_i], bytes);
        }
        raw[used] = '\0';
        set_up();
        html_text(out, raw);
        expect(raw);
        tear_down();
    }
}
END_TEST

#define TEXT(literal)                                                                              \
    { .type = STORE_VALUE_TEXT, .bytes = (literal), .length = sizeof(literal) - 1 }
#define REAL(value)                                                                                \
    { .type = STORE_VALUE_REAL, .real = (value) }

static const struct {
    struct store_value value;
    const char *html;
} cells[] = {
    {{.type = STORE_VALUE_NULL}, "<td></td>"},
    {{.type = STORE_VALUE_INTEGER, .integer = 0}, "<td class=\"n\" data-v=\"0\">0</td>"},
    {{.type = STORE_VALUE_INTEGER, .integer = 1234567},
     "<td class=\"n\" data-v=\"1234567\">1,234,567</td>"},
    {{.type = STORE_VALUE_INTEGER, .integer = INT64_MIN},
     "<td class=\"n\" data-v=\"-9223372036854775808\">−9,223,372,036,854,775,808</td>"},
    {REAL(0.5), "<td class=\"n\" data-v=\"0.5\">0.5</td>"},
    {REAL(12345.678), "<td class=\"n\" data-v=\"12345.678\">12,346</td>"},
    {REAL(100), "<td class=\"n\" data-v=\"100\">100</td>"},
    {REAL(20.25), "<td class=\"n\" data-v=\"20.25\">20.25</td>"},
    {REAL(0.00025), "<td class=\"n\" data-v=\"0.00025000000000000001\">0.0003</td>"},
    {REAL(1e-9), "<td class=\"n\" data-v=\"1.0000000000000001e-09\">1e-09</td>"},
    {REAL(3e20), "<td class=\"n\" data-v=\"3e+20\">3e+20</td>"},
    {REAL(HUGE_VAL), "<td class=\"n\" data-v=\"inf\">–</td>"},
    {TEXT("<b>"), "<td>&lt;b&gt;</td>"},
    {TEXT("a\0b"), "<td>a\\x00b</td>"},
};

START_TEST(a_cell_shows_its_value_and_sorts_by_the_exact_one) {
    html_cell(out, &cells[_i].value);
    expect(cells[_i].html);
}
END_TEST

static const struct {
    const char *svg, *base64;
} pictures[] = {{"<svg>", "PHN2Zz4="}, {"<svg/>", "PHN2Zy8+"}, {"<svg >\n", "PHN2ZyA+Cg=="}};

START_TEST(a_picture_is_within_the_page) {
    char expected[200];
    html_svg(out, pictures[_i].svg, "a \"b\"");
    snprintf(expected, sizeof expected,
             "<img alt=\"a &quot;b&quot;\" src=\"data:image/svg+xml;base64,%s\">",
             pictures[_i].base64);
    expect(expected);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cli/html");
    TCase *tcase = tcase_create("html");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, nothing_is_markup, 0, (int)(sizeof texts / sizeof *texts));
    tcase_add_loop_test(tcase, a_cell_shows_its_value_and_sorts_by_the_exact_one, 0,
                        (int)(sizeof cells / sizeof *cells));
    tcase_add_loop_test(tcase, a_picture_is_within_the_page, 0,
                        (int)(sizeof pictures / sizeof *pictures));
    TCase *many = tcase_create("many texts");
    tcase_add_loop_test(many, a_long_text_keeps_its_characters, 0, 4);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, many);
    return suite_run(suite);
}
