/* Several files in one catalogue, and what belongs to whom. */
#include "unit.h"

#include "esxlat/capture/links.h"

START_TEST(a_new_file_starts_again) {
    struct el_catalog *c = el_catalog_new();
    struct el_quality q = { 0 };
    struct el_str field[] = { EL_STR("(PDH-CSV 4.0) (UTC)(0)"),
                              EL_STR("\\\\esx1\\"
                                     "Physical Disk SCSI Device(naa.1)\\Commands/sec"),
                              EL_STR("\\\\esx1\\Memory\\x") };
    struct el_str other[] = { EL_STR("(PDH-CSV 4.0) (UTC)(0)"),
                              EL_STR("\\\\esx2\\"
                                     "Physical Disk SCSI Device(naa.1)\\Commands/sec") };
    struct el_record header = { field, 3, 1, true, false, false },
                     second = { other, 2, 1, true, false, false };
    el_catalog_begin_file(c);
    ck_assert(el_header_is(&header));
    el_catalog_open_run(c, &header, &q);
    uint32_t first = el_catalog_find(c, EL_STR("esx1"), EL_LUN, EL_STR("naa.1"));
    el_catalog_begin_file(c);
    ck_assert_uint_eq(c->runs, 0);
    el_catalog_open_run(c, &second, &q);
    ck_assert_uint_eq(c->columns, 2);
    ck_assert(el_str_is(c->host, "esx2"));
    ck_assert_uint_eq(el_catalog_find(c, EL_STR("esx1"), EL_LUN, EL_STR("naa.1")), first);
    ck_assert_uint_ne(el_catalog_find(c, EL_STR("esx2"), EL_LUN, EL_STR("naa.1")), first);
    ck_assert_uint_eq(q.count[EL_Q_REPEATED_HEADER] + q.count[EL_Q_CHANGED_COLUMNS], 0);
    el_catalog_choose(c, NULL);
    ck_assert_uint_eq(c->run.slots, 1);
    ck_assert_uint_eq(c->run.wanted[0].column, 1);
    struct el_links l = { 0 };
    el_links_build(&l, c);
    for (uint32_t e = 0; e < c->entities; e++) /* each entity has the host of its own name */
        ck_assert(el_str_equal(c->entity[l.host[e]].name, c->entity[e].host));
    el_links_release(&l);
    uint32_t array = el_catalog_add(c, EL_STR("esx2"), EL_ARRAY, EL_STR("EMC"));
    ck_assert_uint_eq(el_catalog_add(c, EL_STR("esx2"), EL_ARRAY, EL_STR("EMC")), array);
    ck_assert_uint_eq(el_catalog_find(c, EL_STR("esx2"), EL_ARRAY, EL_STR("EMC")), array);
    el_catalog_free(c);
    el_catalog_free(NULL);
}
END_TEST

START_TEST(an_empty_catalogue_has_no_links) {
    struct el_catalog *c = el_catalog_new();
    struct el_links l = { 0 };
    size_t count = 7;
    el_links_build(&l, c);
    (void)el_links_of(&l, 0, &count);
    ck_assert_uint_eq(count, 0);
    el_links_release(&l);
    el_catalog_free(c);
}
END_TEST

Suite *links(void) {
    Suite *s = suite_create("links");
    TCase *t = tcase_create("links");
    tcase_add_test(t, a_new_file_starts_again);
    tcase_add_test(t, an_empty_catalogue_has_no_links);
    suite_add_tcase(s, t);
    return s;
}
