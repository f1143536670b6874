/* The map from names to numbers, and the nearest name. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "esxlat/base/str.h"

enum { MANY = 100000 };

static struct el_str key(char (*room)[16], unsigned i) {
    return (struct el_str){ room[i], (size_t)snprintf(room[i], sizeof room[i], "naa.%u", i * 7) };
}

START_TEST(keeps_100000_keys) {
    char(*room)[16] = calloc(MANY, sizeof *room);
    struct el_map m = { 0 };
    unsigned wrong = 0;
    for (unsigned i = 0; i < MANY; i++)
        wrong += el_map_put(&m, key(room, i), i) != i;
    ck_assert_uint_eq(m.count, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        wrong += el_map_get(&m, key(room, i)) != i;
        wrong += el_map_put(&m, key(room, i), i + 1) != i; /* the first stays */
    }
    ck_assert_uint_eq(m.count, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        char other[16];
        struct el_str k = { other, (size_t)snprintf(other, sizeof other, "naa.%u", i * 7 + 1) };
        wrong += el_map_get(&m, k) != EL_MAP_NONE;
    }
    ck_assert_uint_eq(wrong, 0);
    el_map_release(&m);
    free(room);
}
END_TEST

START_TEST(tells_keys_by_their_bytes) {
    struct el_map m = { 0 };
    ck_assert_uint_eq(el_map_get(&m, EL_STR("a")), EL_MAP_NONE);
    ck_assert_uint_eq(el_map_put(&m, EL_STR(""), 7), 7);
    ck_assert_uint_eq(el_map_put(&m, EL_STR("\0"), 8), 8);
    ck_assert_uint_eq(el_map_put(&m, EL_STR("a\0b"), 0), 0);
    ck_assert_uint_eq(el_map_get(&m, EL_STR("a\0c")), EL_MAP_NONE);
    ck_assert_uint_eq(el_map_get(&m, EL_STR("a")), EL_MAP_NONE);
    ck_assert_uint_eq(el_map_get(&m, EL_STR("")), 7);
    ck_assert_uint_eq(el_map_get(&m, EL_STR("a\0b")), 0);
    el_map_release(&m);
    ck_assert_uint_eq(el_map_get(&m, EL_STR("")), EL_MAP_NONE);
}
END_TEST

static const char *const words[] = { "report", "compare", "list", "rules", "y" };

static const char *word(const void *ctx, size_t i) {
    (void)ctx;
    return words[i];
}

static const struct {
    const char *typed, *meant;
} typos[] = {
    { "report", "report" },   { "reprot", "report" }, /* two edits of six letters */
    { "rprt", NULL },         { "lst", "list" },      { "lists", "list" }, { "comprae", "compare" },
    { "compaer", "compare" }, { "cmpre", NULL },      { "x", "y" },        { "xy", "y" },
    { "qqqqqq", NULL },       { "ruels", NULL },    /* two edits of five letters */
    { "rule", "rules" },      { "rulesets", NULL }, /* three of eight */
};

START_TEST(finds_the_nearest_name) {
    const char *found = el_nearest(typos[_i].typed, 5, word, NULL);
    ck_assert_pstr_eq(found, typos[_i].meant);
    ck_assert_ptr_null(el_nearest(typos[_i].typed, 0, word, NULL));
}
END_TEST

Suite *base_map(void) {
    Suite *s = suite_create("map");
    TCase *t = tcase_create("map");
    tcase_add_test(t, keeps_100000_keys);
    tcase_add_test(t, tells_keys_by_their_bytes);
    tcase_add_loop_test(t, finds_the_nearest_name, 0, (int)(sizeof typos / sizeof *typos));
    suite_add_tcase(s, t);
    return s;
}
