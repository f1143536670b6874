/* The matrix of samples. */
#include "unit.h"

#include "esxlat/metrics/block.h"

static const size_t slots[] = { 0, 1, 100, 10000, 100000 };

/* At least 8 rows, about 4 MiB of them. */
START_TEST(has_room) {
    struct el_block b = { 0 };
    for (int again = 0; again < 2; again++) {
        el_block_reset(&b, slots[_i]);
        ck_assert_uint_eq(b.rows, 0);
        ck_assert_uint_eq(b.slots, slots[_i]);
        ck_assert(b.most >= 8 && b.most <= EL_BLOCK_ROWS && b.stride >= b.most);
        ck_assert_uint_ge(b.width, b.slots);
        if (b.most > 8)
            ck_assert_uint_le(b.most * slots[_i] * sizeof(double), (size_t)6 << 20);
        for (size_t r = 0; r < b.most; r++) /* a sanitizer sees whether that is ours */
            for (size_t i = 0; i < slots[_i]; i++)
                el_block_room(&b, r)[i] = b.column[i * b.stride + r] = 1;
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
    b.column[b.stride - 1] = 1;
    el_block_reset(&b, 100000);
    ck_assert_uint_eq(b.stride, narrow);
    b.column[b.stride * 100000 - 1] = 1;
    el_block_release(&b);
}
END_TEST

static void turn(struct el_block *b) {
    for (size_t part = el_block_parts(b); part-- > 0;)
        el_block_turn(b, part);
    el_block_turned(b);
}

/* Every value of every row stands in its column afterwards, whichever part it belongs to. */
START_TEST(turns_rows_into_columns) {
    struct el_block b = { 0 };
    el_block_reset(&b, slots[_i]);
    for (size_t r = 0; r + 1 < b.most; r++) {
        for (size_t i = 0; i < b.slots; i++)
            el_block_room(&b, r)[i] = (double)(r * 1000000 + i);
        el_block_add(&b, el_block_room(&b, r));
        if (r % 5 == 0) /* some at a time */
            turn(&b);
    }
    turn(&b);
    ck_assert_uint_eq(el_block_parts(&b), 0);
    for (size_t r = 0; r < b.rows; r++)
        for (size_t i = 0; i < b.slots; i++)
            if (b.column[i * b.stride + r] != (double)(r * 1000000 + i))
                ck_abort_msg("row %zu, slot %zu: %g", r, i, b.column[i * b.stride + r]);
    el_block_release(&b);
}
END_TEST

Suite *block(void) {
    Suite *s = suite_create("block");
    TCase *t = tcase_create("block");
    tcase_add_loop_test(t, has_room, 0, (int)(sizeof slots / sizeof *slots));
    tcase_add_test(t, grows_and_shrinks);
    tcase_add_loop_test(t, turns_rows_into_columns, 0, (int)(sizeof slots / sizeof *slots));
    suite_add_tcase(s, t);
    return s;
}
