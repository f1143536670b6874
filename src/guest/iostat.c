/* Linux: iostat -x -t -o JSON of sysstat, 11.7 and later.
 *
 *   {"sysstat": {"hosts": [ {"nodename": "web01", ..., "statistics": [ {"timestamp": "...", "disk": [ {...}, ... ]}, ... ]} ]}}
 *
 * The file may be endless: what stands before the statistics and each element of them are cut out by counting braces
 * and given to jansson one by one, so a file that stops in the middle gives what came before. */
#include <jansson.h>
#include <string.h>

#include "esxlat/base/clock.h"
#include "esxlat/base/num.h"
#include "guest.h"

#define PIECE_LIMIT ((size_t)1024 * 1024) /* bytes of an element; 5,000 disks take about that */
#define LIST        "\"statistics\""

enum state { HEAD, LIST_OPEN, BETWEEN, ELEMENT, TAIL };

enum encoding { BYTES, UTF16_LITTLE, UTF16_BIG };

struct scan {
    enum encoding encoding;
    bool half;  /* a byte of UTF-16 waits for its second */
    char first; /* that byte */
    struct el_guest *out;
    enum state state;
    struct el_buf piece;
    int depth;
    bool in_text, escaped;
    int64_t last; /* time of the element before */
    bool damaged, timeless, has_rates, has_latencies, too_long;
};

/* ---- elements ---- */

static double figure(const json_t *disk, const char *key) {
    const json_t *v = json_object_get(disk, key);
    return json_is_number(v) ? json_number_value(v) : EL_NAN;
}

static double either(double a, double b) {
    return el_missing(a) ? b : a;
}

/* Devices that lie on others: their I/O is that of the disks below once more. */
static bool is_stacked(struct el_str name) {
    static const char *const kinds[] = { "dm-", "md", "loop", "ram", "zram",
                                         "sr",  "fd", "nbd",  "drbd" };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (el_str_starts(name, kinds[i]))
            return true;
    return false;
}

static bool take_disk(struct scan *s, const json_t *disk, int64_t now) {
    const json_t *device = json_object_get(disk, "disk_device");
    struct el_str name = { json_string_value(device), json_string_length(device) };
    if (!name.len || is_stacked(name))
        return false;
    struct el_guest_figures f = { .ios = figure(disk, "tps"),
                                  .reads = figure(disk, "r/s"),
                                  .writes = figure(disk, "w/s"),
                                  .all = figure(disk, "await"),
                                  .read = figure(disk, "r_await"),
                                  .write = figure(disk, "w_await") };
    f.queue = either(figure(disk, "aqu-sz"), figure(disk, "avgqu-sz"));
    s->has_rates |= f.ios >= 0 || f.reads >= 0;
    s->has_latencies |= f.all >= 0 || f.read >= 0 || f.queue >= 0;
    if (s->last == EL_NO_TIME || now <= s->last)
        return false;
    struct el_guest_disk *d = el_guest_disk(s->out, name);
    s->out->hidden += !d;
    return d && el_guest_add(d, s->last, now, &f);
}

static void take_element(struct scan *s, const json_t *element) {
    bool zone = false, any = false;
    size_t i;
    const json_t *disk, *stamp = json_object_get(element, "timestamp");
    struct el_str text = { json_string_value(stamp), json_string_length(stamp) };
    int64_t now = el_stamp_parse(text, &zone);
    s->timeless |= now == EL_NO_TIME;
    if (now == EL_NO_TIME) {
        s->out->unused++;
        return;
    }
    s->out->has_zone = zone;
    s->out->hidden = 0; /* as many as the last element has */
    json_array_foreach(json_object_get(element, "disk"), i, disk) any |= take_disk(s, disk, now);
    if (s->last != EL_NO_TIME)
        *(any ? &s->out->samples : &s->out->unused) += 1;
    s->last = now;
}

static void end_element(struct scan *s) {
    json_t *element = json_loadb(s->piece.ptr, s->piece.len, 0, NULL);
    if (json_is_object(element))
        take_element(s, element);
    else
        s->damaged = true;
    json_decref(element);
    el_buf_clear(&s->piece);
    s->state = BETWEEN;
}

/* ---- the head ---- */

/* What comes before the list, closed as if the list were empty. */
static void end_head(struct scan *s) {
    el_buf_text(&s->piece, "]}]}}");
    json_t *root = json_loadb(s->piece.ptr, s->piece.len, 0, NULL);
    const json_t *hosts = json_object_get(json_object_get(root, "sysstat"), "hosts");
    const json_t *name = json_object_get(json_array_get(hosts, 0), "nodename");
    if (json_is_string(name)) {
        struct el_str host = { json_string_value(name), json_string_length(name) };
        s->out->host =
            (struct el_str){ el_arena_text(&s->out->arena, host.ptr, host.len), host.len };
    }
    json_decref(root);
    el_buf_clear(&s->piece);
    s->state = BETWEEN;
}

static bool ends_with_list(const struct el_buf *b) {
    size_t n = sizeof LIST - 1;
    return b->len >= n && memcmp(b->ptr + b->len - n, LIST, n) == 0;
}

/* ---- bytes ---- */

static void track_text(struct scan *s, char c) {
    if (!s->in_text)
        s->in_text = c == '"';
    else if (s->escaped)
        s->escaped = false;
    else if (c == '\\')
        s->escaped = true;
    else
        s->in_text = c != '"';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Some locales write 0,50: a comma between digits is no separator, sysstat puts a blank behind those. */
static void append(struct scan *s, char c) {
    struct el_buf *b = &s->piece;
    if (!s->in_text && is_digit(c) && b->len > 1 && b->ptr[b->len - 1] == ',' &&
        is_digit(b->ptr[b->len - 2]))
        b->ptr[b->len - 1] = '.';
    el_buf_char(b, c);
    track_text(s, c);
    s->too_long |= b->len >= PIECE_LIMIT;
}

static void take_byte_of_element(struct scan *s, char c) {
    append(s, c);
    s->depth += s->in_text ? 0 : (c == '{') - (c == '}');
    if (s->depth == 0 && !s->in_text)
        end_element(s);
}

static void take_byte(struct scan *s, char c) {
    switch (s->state) {
    case HEAD:
        append(s, c);
        if (c == '"' && !s->in_text && ends_with_list(&s->piece))
            s->state = LIST_OPEN;
        break;
    case LIST_OPEN:
        append(s, c);
        if (c == '[')
            end_head(s);
        break;
    case BETWEEN:
        s->depth = 0;
        s->state = c == ']' ? TAIL : c == '{' ? ELEMENT : BETWEEN;
        if (s->state == ELEMENT)
            take_byte_of_element(s, c);
        break;
    case ELEMENT: take_byte_of_element(s, c); break;
    case TAIL: break;
    }
}

/* A byte of UTF-16, as PowerShell redirects: what is no ASCII becomes '?', for figures have none. */
static void take_half(struct scan *s, char c) {
    s->half = !s->half;
    if (s->half) {
        s->first = c;
        return;
    }
    char low = s->encoding == UTF16_LITTLE ? s->first : c,
         high = s->encoding == UTF16_LITTLE ? c : s->first;
    if (high == (char)0xfe && low == (char)0xff) /* the mark */
        return;
    take_byte(s, high || (unsigned char)low > 0x7f ? '?' : low);
}

static enum encoding encoding_of(struct el_str head) {
    return el_str_starts(head, "\xff\xfe")   ? UTF16_LITTLE
           : el_str_starts(head, "\xfe\xff") ? UTF16_BIG
                                             : BYTES;
}

static bool read_all(struct scan *s, struct el_source *source, struct el_error *err) {
    char bytes[65536];
    size_t got = 1;
    s->encoding = encoding_of(el_source_head(source));
    while (got && !s->too_long) {
        if (!el_source_read(source, bytes, sizeof bytes, &got, err))
            return false;
        for (size_t i = 0; i < got && !s->too_long; i++)
            s->encoding == BYTES ? take_byte(s, bytes[i]) : take_half(s, bytes[i]);
    }
    s->out->cut = s->state != TAIL || s->damaged;
    return true;
}

static bool is_useful(const struct scan *s, struct el_error *err) {
    struct el_buf name = { 0 };
    const char *what =
        s->too_long                                 ? "has an element of more than 1 MiB"
        : s->state == HEAD || s->state == LIST_OPEN ? "is JSON, but not that of iostat"
        : s->last == EL_NO_TIME && s->timeless ? "has no times that can be read: run iostat with -t"
        : !s->has_rates                        ? "has no r/s and w/s"
        : !s->has_latencies                    ? "has no r_await and w_await: run iostat with -x"
                                               : NULL;
    if (!what)
        return true;
    (void)el_buf_visible(&name, el_str(s->out->file));
    (void)el_fail(err, EL_CAPTURE, "'%s' %s\nexpected: S_TIME_FORMAT=ISO iostat -x -t -o JSON 5",
                  name.ptr ? name.ptr : "", what);
    el_buf_release(&name);
    return false;
}

bool el_iostat_read(struct el_source *source, struct el_guest *out, struct el_error *err) {
    struct scan s = { .out = out, .last = EL_NO_TIME };
    json_set_alloc_funcs(el_alloc, el_free);
    json_object_seed(1);
    out->kind = "iostat";
    s.piece.limit = PIECE_LIMIT + 16;
    bool good = read_all(&s, source, err) && is_useful(&s, err);
    el_buf_release(&s.piece);
    return good;
}
