/* Notes on a capture. */
#include "unit.h"

#include <string.h>

#include "esxlat/capture/quality.h"

START_TEST(counts_notes) {
    struct el_quality q = { 0 };
    el_quality_note(&q, EL_Q_SHORT_ROW, 12);
    el_quality_note(&q, EL_Q_SHORT_ROW, 40);
    el_quality_add(&q, EL_Q_SHORT_ROW, 50, 5);
    el_quality_add(&q, EL_Q_GAP, 9, 3);
    el_quality_add(&q, EL_Q_JUNK_LINE, 9, 0);
    ck_assert_uint_eq(q.count[EL_Q_SHORT_ROW], 7);
    ck_assert_uint_eq(q.first_line[EL_Q_SHORT_ROW], 12);
    ck_assert_uint_eq(q.count[EL_Q_GAP], 3);
    ck_assert_uint_eq(q.first_line[EL_Q_GAP], 9);
    ck_assert_uint_eq(q.count[EL_Q_JUNK_LINE], 0);
    ck_assert_uint_eq(q.count[EL_Q_LONG_ROW], 0);
}
END_TEST

START_TEST(describes_codes) {
    for (unsigned a = 0; a < EL_QUALITY_CODES; a++) {
        const struct el_quality_info *info = el_quality_info(a);
        ck_assert_uint_eq(strspn(info->code, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                          strlen(info->code));
        ck_assert_uint_gt(strlen(info->text), 10);
        for (unsigned b = 0; b < a; b++)
            ck_assert_str_ne(info->code, el_quality_info(b)->code);
    }
    ck_assert_str_eq(el_quality_info(EL_Q_SHORT_ROW)->code, "short-row");
    ck_assert(!el_quality_info(EL_Q_SHORT_ROW)->harmless);
    ck_assert(el_quality_info(EL_Q_CRLF)->harmless);
}
END_TEST

Suite *quality(void) {
    Suite *s = suite_create("quality");
    TCase *t = tcase_create("quality");
    tcase_add_test(t, counts_notes);
    tcase_add_test(t, describes_codes);
    suite_add_tcase(s, t);
    return s;
}
