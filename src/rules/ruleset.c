/* Rule files into sections, with inih.
 *
 * inih cuts lines at 200 bytes and takes " ;" for a comment, and texts of rules are long and hold
 * shell commands.  So it is shown a copy of each line, cut and without ';', to say what the line
 * is, and the value is then taken from the line itself. */
#include "ruleset.h"

#include <assert.h>
#include <ini.h>
#include <string.h>

#define SORT(sort) (1u << (sort))

/* Keys and the sorts of section that have them. */
static const struct {
    const char *name;
    unsigned sorts;
} keys[EL_KEYS] = {
    [EL_K_ON] = { "on", SORT(EL_RULE) },
    [EL_K_MATCH] = { "match", SORT(EL_RULE) },
    [EL_K_WHEN] = { "when", SORT(EL_RULE) },
    [EL_K_FOR] = { "for", SORT(EL_RULE) },
    [EL_K_IF] = { "if", SORT(EL_RULE) },
    [EL_K_UNLESS] = { "unless", SORT(EL_RULE) },
    [EL_K_CONFIRM] = { "confirm", SORT(EL_RULE) },
    [EL_K_LAYER] = { "layer", SORT(EL_RULE) },
    [EL_K_SEVERITY] = { "severity", SORT(EL_RULE) },
    [EL_K_OVERRIDES] = { "overrides", SORT(EL_RULE) },
    [EL_K_TITLE] = { "title", SORT(EL_RULE) },
    [EL_K_BECAUSE] = { "because", SORT(EL_RULE) },
    [EL_K_CHECK] = { "check", SORT(EL_RULE) },
    [EL_K_DO] = { "do", SORT(EL_RULE) | SORT(EL_VENDOR) }, /* a vendor's is do.RULE-ID */
    [EL_K_ALSO] = { "also", SORT(EL_RULE) },
    [EL_K_SEE] = { "see", SORT(EL_RULE) },
    [EL_K_SOURCE] = { "source", SORT(EL_RULE) | SORT(EL_THRESHOLD) | SORT(EL_VENDOR) },
    [EL_K_HDD] = { "hdd", SORT(EL_THRESHOLD) },
    [EL_K_FLASH] = { "flash", SORT(EL_THRESHOLD) },
    [EL_K_NVME] = { "nvme", SORT(EL_THRESHOLD) },
    [EL_K_NFS] = { "nfs", SORT(EL_THRESHOLD) },
    [EL_K_VSAN] = { "vsan", SORT(EL_THRESHOLD) },
    [EL_K_UNIT] = { "unit", SORT(EL_THRESHOLD) },
    [EL_K_HELP] = { "help", SORT(EL_THRESHOLD) | SORT(EL_VENDOR) },
    [EL_K_NAME] = { "name", SORT(EL_VENDOR) },
    [EL_K_PROFILE] = { "profile", SORT(EL_VENDOR) },
};

/* A rule file while it is read. */
struct reader {
    struct el_ruleset *rs;
    struct el_error *err;
    const char *file;
    struct el_str rest;  /* of the file */
    struct el_line line; /* the current one */
    char shown[160];     /* what inih sees of it */
    struct el_line head; /* the last [section] line; number 0: none yet */
    bool opened;         /* a section was made for it */
    enum el_sort sort;
    struct el_section *section;
    enum el_key key; /* of the last value, which indented lines continue */
    struct el_str key_text;
    bool failed;
};

static const char *key_name(const void *ctx, size_t i) {
    const enum el_sort *sort = ctx;
    return keys[i].sorts & SORT(*sort) ? keys[i].name : "";
}

/* ---- sections ---- */

static bool is_word(struct el_str s, const char *signs) {
    bool good = s.len > 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        good =
            good && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c && strchr(signs, c)));
    }
    return good;
}

/* Devices are named by their makers: t10.ATA_____WDC. */
#define DEVICE_SIGNS "._:-ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool check_name(struct reader *r, struct el_str name) {
    static const char *const what[] = {
        "a rule's id is lower case letters, digits and '-'",
        "a threshold's name is a lower case letter, then letters, digits and '_'",
        "a vendor's prefix is the begin of a device name, such as naa.514f0c5",
    };
    static const char *const signs[] = { "-", "_", DEVICE_SIGNS };
    struct el_span span = el_span_of(&r->head, name);
    if (name.len > EL_NAME_BYTES)
        return el_fail_at(r->err, span, NULL, "the name is longer than %u bytes", EL_NAME_BYTES);
    bool good = is_word(name, signs[r->sort]);
    if (r->sort == EL_THRESHOLD && good)
        good = name.ptr[0] >= 'a' && name.ptr[0] <= 'z';
    if (!good)
        return el_fail_at(r->err, span, NULL, "%s", what[r->sort]);
    if (r->sort == EL_THRESHOLD && (el_metric_find(name) != EL_METRICS || el_str_is(name, "hit")))
        return el_fail_at(r->err, span, NULL, "the name is that of a metric");
    return true;
}

/* The section of that sort and name: a new one, or that of an earlier file, emptied. */
static struct el_section *place(struct reader *r, struct el_str name) {
    struct el_ruleset *rs = r->rs;
    uint32_t at;
    switch (r->sort) {
    case EL_RULE:
        at = el_ruleset_rule_index(rs, name);
        if (at != UINT32_MAX)
            return &rs->rule[at]->section;
        *EL_PUSH(rs->rule, rs->rules, rs->rule_room) = el_calloc(1, sizeof **rs->rule);
        return &rs->rule[rs->rules - 1]->section;
    case EL_THRESHOLD:
        at = el_ruleset_threshold_index(rs, name);
        if (at != UINT32_MAX)
            return &rs->threshold[at]->section;
        *EL_PUSH(rs->threshold, rs->thresholds, rs->threshold_room) =
            el_calloc(1, sizeof **rs->threshold);
        return &rs->threshold[rs->thresholds - 1]->section;
    case EL_VENDOR:
    case EL_SORTS: break;
    }
    at = el_ruleset_vendor_index(rs, name);
    if (at != UINT32_MAX)
        return &rs->vendor[at]->section;
    *EL_PUSH(rs->vendor, rs->vendors, rs->vendor_room) = el_calloc(1, sizeof **rs->vendor);
    return &rs->vendor[rs->vendors - 1]->section;
}

static bool is_full(const struct reader *r) {
    const struct el_ruleset *rs = r->rs;
    return rs->rules >= EL_SECTIONS || rs->thresholds >= EL_SECTIONS || rs->vendors >= EL_SECTIONS;
}

/* "threshold NAME", "vendor PREFIX" or a rule's id. */
static bool sort_of(struct reader *r, struct el_str *name) {
    static const char *const words[] = { "threshold", "vendor" };
    size_t word = 0;
    *name = el_str_trim(*name);
    while (word < name->len && name->ptr[word] != ' ' && name->ptr[word] != '\t')
        word++;
    struct el_str first = { name->ptr, word };
    r->sort = EL_RULE;
    if (word == name->len)
        return true;
    for (int i = 0; i < 2; i++) {
        if (!el_str_is(first, words[i]))
            continue;
        r->sort = (enum el_sort)(EL_THRESHOLD + i);
        *name = el_str_trim(el_str_from(*name, word));
        return true;
    }
    return el_fail_at(r->err, el_span_of(&r->head, first), NULL,
                      "a section is [RULE-ID], [threshold NAME] or [vendor PREFIX]");
}

/* Makes the section of the last [line]; called with its first key, since inih tells no sooner. */
static bool open_section(struct reader *r) {
    struct el_str name = r->head.value;
    r->opened = true;
    if (!sort_of(r, &name) || !check_name(r, name))
        return false;
    if (is_full(r))
        return el_fail_at(r->err, el_span_of(&r->head, name), NULL,
                          "more than %u sections of one sort", EL_SECTIONS);
    struct el_section *section = place(r, name);
    if (section->head && section->head->file == r->file)
        return el_fail_at(r->err, el_span_of(&r->head, name), NULL,
                          "'%s' is already in line %u of this file", section->name,
                          section->head->number);
    el_section_release(section);
    section->name = el_arena_text(&r->rs->arena, name.ptr, name.len);
    section->head = el_arena_alloc(&r->rs->arena, sizeof *section->head);
    *section->head = r->head;
    section->head->value = name;
    r->section = section;
    return true;
}

/* ---- lines ---- */

/* A [section] line: its name is what stands between the brackets. */
static bool take_head(struct reader *r) {
    struct el_str whole = r->line.whole;
    const char *end = memchr(whole.ptr, ']', whole.len);
    if (r->head.number && !r->opened)
        return el_fail_at(r->err, el_span_value(&r->head), NULL, "the section is empty");
    r->head = r->line;
    r->head.value =
        (struct el_str){ whole.ptr + 1, end ? (size_t)(end - whole.ptr) - 1 : whole.len - 1 };
    r->opened = false;
    if (!end)
        return el_fail_at(r->err, el_span_of(&r->head, whole), NULL,
                          "the section's name is not closed by ']'");
    struct el_str junk = el_str_trim(el_str_from(whole, (size_t)(end - whole.ptr) + 1));
    if (junk.len && junk.ptr[0] != '#' && junk.ptr[0] != ';')
        return el_fail_at(r->err, el_span_of(&r->head, junk), NULL,
                          "unexpected text after the section's name");
    if (r->head.value.len > 2 * EL_NAME_BYTES)
        return el_fail_at(r->err, el_span_value(&r->head), NULL, "the name is longer than %u bytes",
                          EL_NAME_BYTES);
    return true;
}

static bool check_bytes(struct reader *r) {
    for (size_t i = 0; i < r->line.whole.len; i++) {
        unsigned char c = (unsigned char)r->line.whole.ptr[i];
        if (c >= ' ' || c == '\t')
            continue;
        struct el_span span = { &r->line, i, 1 };
        return el_fail_at(r->err, span, NULL, "control character \\x%02x", c);
    }
    return true;
}

/* What inih sees of the line: cut, and ';' only where it begins a comment.  Its length. */
static size_t show_line(struct reader *r) {
    struct el_str whole = r->line.whole;
    size_t length = whole.len < sizeof r->shown - 2 ? whole.len : sizeof r->shown - 2;
    memcpy(r->shown, whole.ptr, length);
    r->shown[length] = '\0';
    size_t first = strspn(r->shown, " \t");
    for (char *at = r->shown + first; first < length && (at = strchr(at + 1, ';'));)
        *at = ',';
    return length;
}

/* inih's reader: the next line of the file. */
static char *next_line(char *out, int room, void *stream) {
    struct reader *r = stream;
    if (r->failed || r->rest.len == 0)
        return NULL;
    const char *end = memchr(r->rest.ptr, '\n', r->rest.len);
    size_t length = end ? (size_t)(end - r->rest.ptr) : r->rest.len;
    r->line.whole = (struct el_str){ r->rest.ptr, length };
    r->rest = el_str_from(r->rest, length + (end != NULL));
    if (length && r->line.whole.ptr[length - 1] == '\r')
        r->line.whole.len--;
    r->line.number++;
    r->line.value = r->line.whole;
    bool head = r->line.whole.len && r->line.whole.ptr[0] == '[';
    r->failed = !check_bytes(r) || (head && !take_head(r));
    size_t shown = show_line(r);
    assert(room > (int)sizeof r->shown);
    if (r->failed)
        shown = 0;
    memcpy(out, r->shown, shown);
    memcpy(out + shown, "\n", 2);
    return out;
}

static bool find_key(struct reader *r, struct el_str name) {
    bool advice = r->sort == EL_VENDOR && el_str_starts(name, "do.");
    for (int k = 0; k < EL_KEYS; k++) {
        bool fits = advice ? k == EL_K_DO
                           : el_str_is(name, keys[k].name) && (keys[k].sorts & SORT(r->sort));
        if (!fits || (k == EL_K_DO && r->sort == EL_VENDOR && !advice))
            continue;
        r->key = (enum el_key)k;
        return true;
    }
    return el_fail_unknown(r->err, el_span_of(&r->line, name), "key", name, EL_KEYS, key_name,
                           &r->sort);
}

/* `key = value`, or the indented line below: adds it to the key's lines. */
static bool take_value(struct reader *r, bool continues) {
    if (!r->head.number)
        return el_fail_at(r->err, el_span_value(&r->line), NULL, "a value outside any [section]");
    if (!r->opened && !open_section(r))
        return false;
    r->line.value = el_str_trim(r->line.whole);
    if (!continues) {
        size_t at = 0;
        while (at < r->line.whole.len && r->line.whole.ptr[at] != '=' &&
               r->line.whole.ptr[at] != ':')
            at++;
        r->line.value = el_str_trim(el_str_from(r->line.whole, at + 1));
        r->key_text = el_str_trim((struct el_str){ r->line.whole.ptr, at });
        if (!find_key(r, r->key_text))
            return false;
    }
    r->line.key = r->key_text;
    struct el_value_lines *lines = &r->section->key[r->key];
    if (lines->count == EL_LINES)
        return el_fail_at(r->err, el_span_value(&r->line), NULL, "more than %u lines of '%s'",
                          EL_LINES, keys[r->key].name);
    if (r->line.value.len)
        *EL_PUSH(lines->item, lines->count, lines->room) = r->line;
    return true;
}

/* inih's handler.  A continued line is given whole, a value without its key. */
static int take(void *user, const char *section, const char *name, const char *value) {
    struct reader *r = user;
    (void)section;
    (void)name;
    if (r->failed)
        return 0;
    struct el_str shown = el_str_trim(el_str(r->shown));
    r->failed = !take_value(r, el_str_is(shown, value));
    return !r->failed;
}

/* True: every line was understood; else the error is set, unless `*bad` names the line inih did not
 * take. */
static bool read_sections(struct reader *r, int *bad) {
    *bad = ini_parse_stream(next_line, r, take, r);
    if (r->failed || *bad > 0)
        return false;
    if (*bad < 0)
        return el_fail(r->err, EL_SYSTEM, "cannot read '%s': not enough memory", r->file);
    if (r->head.number && !r->opened)
        return el_fail_at(r->err, el_span_value(&r->head), NULL, "the section is empty");
    return true;
}

/* inih goes on after a line it does not understand and tells its number at the end. */
static bool fail_line(struct reader *r, struct el_str text, int number) {
    struct el_line line = { .file = r->file };
    while ((int)line.number < number) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t length = end ? (size_t)(end - text.ptr) : text.len;
        line.whole = (struct el_str){ text.ptr, length };
        text = el_str_from(text, length + (end != NULL));
        line.number++;
    }
    line.value = el_str_trim(line.whole);
    return el_fail_at(r->err, el_span_value(&line), NULL, "expected 'key = value'");
}

bool el_ruleset_parse(struct el_ruleset *rs, const char *name, struct el_str text,
                      struct el_error *err) {
    assert(!rs->compiled);
    if (text.len > EL_FILE_BYTES)
        return el_fail(err, EL_RULES, "%s: the file is larger than %u bytes", name, EL_FILE_BYTES);
    if (el_str_starts(text, "\xef\xbb\xbf"))
        text = el_str_from(text, 3);
    text.ptr = el_arena_text(&rs->arena, text.ptr ? text.ptr : "", text.len);
    struct reader r = { .rs = rs, .err = err, .rest = text };
    r.file = r.line.file = el_arena_text(&rs->arena, name, strlen(name));
    int bad = 0;
    if (read_sections(&r, &bad))
        return true;
    return !r.failed && bad > 0 ? fail_line(&r, text, bad) : false;
}
