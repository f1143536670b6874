/* Arenas and growing arrays; what happens when memory cannot be had. */
#include "unit.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "esxlat/base/mem.h"

static bool filled(const unsigned char *p, size_t size, unsigned char with) {
    for (size_t i = 0; i < size; i++)
        if (p[i] != with)
            return false;
    return true;
}

/* Pieces of all sizes, small and larger than any chunk, are cleared, aligned and do not overlap. */
START_TEST(arena_pieces_are_apart) {
    static const size_t sizes[] = {
        1, 3, 8, 17, 100, 4095, 4096, 65536, 1 << 20, 5, 2, 3000000, 1
    };
    enum { PIECES = 13 };
    struct el_arena a = { 0 };
    unsigned char *piece[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        piece[i] = el_arena_alloc(&a, sizes[i]);
        ck_assert_uint_eq((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
        ck_assert(filled(piece[i], sizes[i], 0));
        memset(piece[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < PIECES; i++)
        ck_assert(filled(piece[i], sizes[i], (unsigned char)(i + 1)));
    el_arena_release(&a);
}
END_TEST

START_TEST(arena_keeps_texts) {
    struct el_arena a = { 0 };
    char *text = el_arena_text(&a, "ab\0cd", 5);
    ck_assert_mem_eq(text, "ab\0cd\0", 6);
    ck_assert_str_eq(el_arena_text(&a, "", 0), "");
    ck_assert_str_eq(el_arena_print(&a, "%s-%d", "x", 7), "x-7");
    char *wide = el_arena_print(&a, "%*d|", 100000, 7);
    ck_assert_uint_eq(strlen(wide), 100001);
    ck_assert_str_eq(wide + 99998, " 7|");
    el_arena_release(&a);
    ck_assert_ptr_null(a.chunks);
}
END_TEST

START_TEST(arena_adopts) {
    struct el_arena a = { 0 }, b = { 0 }, empty = { 0 };
    char *mine = el_arena_text(&a, "mine", 4), *theirs = el_arena_text(&b, "theirs", 6);
    el_arena_adopt(&a, &b);
    ck_assert_ptr_null(b.chunks);
    char *next = el_arena_text(&b, "again", 5); /* the emptied one works on */
    char *more = el_arena_text(&a, "more", 4);
    el_arena_adopt(&a, &empty);
    el_arena_release(&b);
    (void)next;
    ck_assert_str_eq(mine, "mine");
    ck_assert_str_eq(theirs, "theirs");
    ck_assert_str_eq(more, "more");
    el_arena_release(&a);
}
END_TEST

START_TEST(empty_arena_adopts) {
    struct el_arena a = { 0 }, b = { 0 };
    char *theirs = el_arena_text(&b, "theirs", 6);
    el_arena_adopt(&a, &b);
    char *mine = el_arena_text(&a, "mine", 4);
    ck_assert_str_eq(theirs, "theirs");
    ck_assert_str_eq(mine, "mine");
    el_arena_release(&a);
    el_arena_release(&b);
}
END_TEST

START_TEST(arrays_grow) {
    int *item = NULL;
    size_t count = 0, room = 0;
    for (int i = 0; i < 100000; i++)
        *EL_PUSH(item, count, room) = i;
    ck_assert_uint_eq(count, 100000);
    ck_assert_uint_ge(room, count);
    for (int i = 0; i < 100000; i++)
        ck_assert_int_eq(item[i], i);
    el_free(item);
    el_free(NULL);
}
END_TEST

START_TEST(resize_keeps_what_was_there) {
    char *p = el_resize(NULL, 4, 1);
    memcpy(p, "abc", 4);
    p = el_resize(p, 100000, 3);
    ck_assert_str_eq(p, "abc");
    el_free(p);
    p = el_calloc(1000, 7);
    ck_assert(filled((unsigned char *)p, 7000, 0));
    el_free(p);
    el_free(el_alloc(0)); /* never NULL */
}
END_TEST

static void out_of_memory(void) {
    _exit(42);
}

/* A size that does not fit is lack of memory, not a small block. */
START_TEST(resize_beyond_all_memory) {
    el_mem_on_failure(out_of_memory);
    el_free(el_resize(NULL, SIZE_MAX / 4 + 2, 4)); /* multiplied without care, 4 bytes */
}
END_TEST

START_TEST(grow_beyond_all_memory) {
    el_mem_on_failure(out_of_memory);
    void *items = NULL;
    size_t room = 0;
    el_grow(&items, &room, SIZE_MAX / 2, 16);
}
END_TEST

START_TEST(without_a_handler_it_aborts) {
    el_free(el_resize(NULL, SIZE_MAX / 2, 4));
}
END_TEST

Suite *base_mem(void) {
    Suite *s = suite_create("mem");
    TCase *t = tcase_create("arena");
    tcase_add_test(t, arena_pieces_are_apart);
    tcase_add_test(t, arena_keeps_texts);
    tcase_add_test(t, arena_adopts);
    tcase_add_test(t, empty_arena_adopts);
    suite_add_tcase(s, t);
    t = tcase_create("arrays");
    tcase_add_test(t, arrays_grow);
    tcase_add_test(t, resize_keeps_what_was_there);
    tcase_add_exit_test(t, resize_beyond_all_memory, 42);
    tcase_add_exit_test(t, grow_beyond_all_memory, 42);
    tcase_add_test_raise_signal(t, without_a_handler_it_aborts, SIGABRT);
    suite_add_tcase(s, t);
    return s;
}
