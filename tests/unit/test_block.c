/* The matrix of samples. */
#include "unit.h"

#include "esxlat/metrics/block.h"

static const size_t slots[] = { 0, 1, 100, 10000, 100000 };

/* 8 to 64 rows, about 4 MiB. */
START_TEST(has_room) {
    struct el_block b = { 0 };
    for (int again = 0; again < 2; again++) {
        el_block_reset(&b, slots[_i]);
        ck_assert_uint_eq(b.rows, 0);
        ck_assert_uint_eq(b.slots, slots[_i]);
        ck_assert(b.most >= 8 && b.most <= EL_BLOCK_ROWS && b.stride >= b.most);
        if (b.most > 8)
            ck_assert_uint_le(b.most * slots[_i] * sizeof(double), (size_t)6 << 20);
        for (size_t i = 0; i < slots[_i] * b.stride; i++)
            b.value[i] = 1; /* a sanitizer sees whether that is ours */
        for (size_t i = 0; i < b.most; i++) {
            b.seconds[i] = 1;
            b.from[i] = b.to[i] = 1;
        }
    }
    el_block_release(&b);
}
END_TEST

START_TEST(grows_and_shrinks) {
    struct el_block b = { 0 };
    el_block_reset(&b, 100000);
    size_t narrow = b.stride;
    el_block_reset(&b, 1);
    ck_assert_uint_ge(b.stride, narrow);
    b.value[b.stride - 1] = 1;
    el_block_reset(&b, 100000);
    ck_assert_uint_eq(b.stride, narrow);
    b.value[b.stride * 100000 - 1] = 1;
    el_block_release(&b);
}
END_TEST

Suite *block(void) {
    Suite *s = suite_create("block");
    TCase *t = tcase_create("block");
    tcase_add_loop_test(t, has_room, 0, (int)(sizeof slots / sizeof *slots));
    tcase_add_test(t, grows_and_shrinks);
    suite_add_tcase(s, t);
    return s;
}
