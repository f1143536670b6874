#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a page for a tired reader holds of each; --verbose shows all. */
#define FINDINGS 8
#define WINDOWS  3
#define PEOPLE   3
#define LINES    12

#define INDENT  13 /* of what stands behind "    Because  " */
#define LEAD(w) "    " w

/* First words of the commands that rules tell people to type. */
static const char *const commands[] = {
    "esxcli",     "vsish",    "vmkping",     "vim-cmd",   "vmkfstools", "esxcfg-",    "grep",
    "zgrep",      "cat",      "tail",        "voma",      "ls",         "ps",         "vmware",
    "vscsiStats", "memstats", "sched-stats", "iostat",    "fio",        "vm-support", "localcli",
    "esxlat",     "nc",       "ping",        "pktcap-uw", "dd",         "vdq",        "awk",
};

static bool is_command(struct el_str text) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        size_t n = strlen(commands[i]);
        if (el_str_starts(text, commands[i]) &&
            (text.len == n || text.ptr[n] == ' ' || commands[i][n - 1] == '-'))
            return true;
    }
    return false;
}

static size_t find(struct el_str text, const char *needle) {
    size_t i = 0;
    while (i < text.len && !el_str_starts(el_str_from(text, i), needle))
        i++;
    return i;
}

/* A check as rules write it: "COMMAND", "COMMAND  # remark", "COMMAND  (remark)", "remark: COMMAND" or prose. */
struct check {
    struct el_str command, remark;
    bool after; /* the remark stands behind the command */
};

static struct check split_check(struct el_str text) {
    struct check c = { { NULL, 0 }, { NULL, 0 }, false };
    size_t colon = find(text, ": "), hash = find(text, "  #"), bracket = find(text, "  (");
    size_t end = hash < bracket ? hash : bracket;
    if (is_command(text)) {
        c.command = (struct el_str){ text.ptr, end };
        c.remark = el_str_trim(el_str_from(text, hash < bracket ? end + 3 : end));
        c.after = true;
    } else if (colon < text.len && is_command(el_str_from(text, colon + 2))) {
        c.command = el_str_from(text, colon + 2);
        c.remark = (struct el_str){ text.ptr, colon + 1 };
    } else {
        c.remark = text;
    }
    return c;
}

/* The remark is broken between words, the command stands on a line of its own. */
static void put_check(struct el_page *p, const char *lead, const char *check) {
    struct check c = split_check(el_str_trim(el_str(check)));
    if (c.remark.len && !c.after)
        el_page_wrap(p, lead, INDENT, c.remark);
    if (c.command.len)
        el_page_whole(p, c.remark.len && !c.after ? "" : lead, INDENT, el_str_trim(c.command));
    if (c.remark.len && c.after)
        el_page_wrap(p, "", INDENT + 2, c.remark);
}

static void put_list(struct el_page *p, const char *lead, struct el_texts list) {
    for (size_t i = 0; i < list.count; i++)
        el_page_wrap(p, i ? "" : lead, INDENT, el_str(list.item[i]));
}

/* An address is for copy and paste like a command. */
static void put_sources(struct el_page *p, const char *lead, struct el_texts list) {
    for (size_t i = 0; i < list.count; i++) {
        struct el_str source = el_str(list.item[i]);
        if (find(source, " ") == source.len)
            el_page_whole(p, i ? "" : lead, INDENT, source);
        else
            el_page_wrap(p, i ? "" : lead, INDENT, source);
    }
}

static void put_checks(struct el_page *p, const char *lead, struct el_texts list) {
    for (size_t i = 0; i < list.count; i++)
        put_check(p, i ? "" : lead, list.item[i]);
}

/* "web01, scsi0:1  61 %": the disk, else the VM, else the world. */
static void who_text(struct el_buf *out, const struct el_who *w, bool verbose) {
    struct el_str disk = w->vdisk;
    if (w->vm.len && disk.len > w->vm.len && disk.ptr[w->vm.len] == ':' &&
        el_str_equal((struct el_str){ disk.ptr, w->vm.len }, w->vm))
        disk = el_str_from(disk, w->vm.len + 1);
    if (isfinite(w->share))
        el_buf_print(out, "%3.0f %%  ", 100 * w->share);
    if (w->vm.len)
        el_buf_text(out, "VM ");
    el_buf_add(out, w->vm.ptr, w->vm.len);
    if (disk.len)
        el_buf_text(out, w->vm.len ? ", disk " : "disk ");
    el_buf_add(out, disk.ptr, disk.len);
    if (!w->world.len || (w->vm.len && !verbose))
        return;
    el_buf_text(out, w->vm.len || disk.len ? ", world " : "world ");
    el_buf_add(out, w->world.ptr, w->world.len);
}

/* Those who wait for less than half a percent say nothing, unless they are all there is. */
static size_t worth_telling(const struct el_finding *f) {
    size_t n = f->who_count;
    while (n > 1 && f->who[n - 1].share < 0.005)
        n--;
    return n;
}

static void put_who(struct el_page *p, const struct el_finding *f, bool verbose) {
    size_t count = verbose ? f->who_count : worth_telling(f);
    size_t shown = verbose || count <= PEOPLE ? count : PEOPLE;
    for (size_t i = 0; i < shown; i++) {
        struct el_buf line = { 0 };
        who_text(&line, &f->who[i], verbose);
        el_page_wrap(p, i ? "" : LEAD("Who"), INDENT, (struct el_str){ line.ptr, line.len });
        el_buf_release(&line);
    }
    if (shown < count)
        el_buf_print(p->out, "%*sand %zu more, see --verbose\n", INDENT, "", count - shown);
}

static void put_stretch(struct el_page *p, const char *lead, int64_t from, int64_t to,
                        uint64_t samples) {
    struct el_buf line = { 0 };
    el_text_stretch(&line, from, to);
    if (samples) { /* a rule on a group counts none of its own */
        el_buf_text(&line, ", ");
        el_text_plural(&line, samples, "sample");
    }
    el_page_wrap(p, lead, INDENT, (struct el_str){ line.ptr, line.len });
    el_buf_release(&line);
}

static void put_when(struct el_page *p, const struct el_finding *f, bool verbose) {
    size_t shown = verbose || f->windows <= WINDOWS ? f->windows : WINDOWS;
    for (size_t i = 0; i < shown; i++)
        put_stretch(p, i ? "" : LEAD("When"), f->window[i].from, f->window[i].to,
                    f->window[i].samples);
    if (shown < f->windows) {
        el_buf_print(p->out, "%*sand %zu more until ", INDENT, "", f->windows - shown);
        char end[EL_CLOCK_ROOM];
        el_buf_print(p->out, "%s\n", el_clock_text(f->to, end));
    }
    if (!f->windows && f->from != EL_NO_TIME && f->to != EL_NO_TIME)
        put_stretch(p, LEAD("When"), f->from, f->to, f->samples);
}

/* "confidence high: 120 samples, 303000 commands, ..." */
static void put_confidence(struct el_page *p, const struct el_finding *f) {
    struct el_buf line = { 0 };
    el_buf_print(&line, "layer %s, confidence %s", el_layer_name(f->layer),
                 el_confidence_name(f->confidence));
    if (f->basis.samples) {
        el_buf_text(&line, ": ");
        el_confidence_text(&f->basis, &line);
        if (f->confidence == EL_HIGH && (!f->basis.asked || f->basis.agreed < f->basis.asked))
            el_buf_text(&line, "; high by a finding that this one explains");
    }
    el_page_wrap(p, "", INDENT, (struct el_str){ line.ptr, line.len });
    el_buf_release(&line);
}

static void put_subject(struct el_page *p, const struct el_finding *f) {
    struct el_buf line = { 0 };
    el_buf_print(&line, "%s ", el_kind_name(f->kind));
    el_page_short(&line, f->name, 48);
    if (f->host.len && f->kind != EL_HOST) {
        el_buf_text(&line, " on ");
        el_page_short(&line, f->host, 40);
    }
    /* Already visible; a backslash stays what it is. */
    el_page_wrap(p, LEAD("Where"), INDENT, (struct el_str){ line.ptr, line.len });
    el_buf_release(&line);
    put_confidence(p, f);
}

static bool same_texts(struct el_texts a, struct el_texts b) {
    bool same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++)
        same = strcmp(a.item[i], b.item[i]) == 0;
    return same;
}

/* `seen`: an earlier finding of the same rule that was shown, with the same advice; or NULL. */
static void put_finding(struct el_page *p, const struct el_finding *f,
                        const struct el_finding *seen, bool verbose) {
    el_buf_char(p->out, '\n');
    el_text_severity(p, f->severity);
    el_buf_print(p->out, " %s\n", f->rule);
    el_page_wrap(p, "  ", 2, el_str(f->title));
    put_subject(p, f);
    if (f->because && *f->because)
        el_page_wrap(p, LEAD("Because"), INDENT, el_str(f->because));
    put_who(p, f, verbose);
    put_when(p, f, verbose);
    bool same = seen && same_texts(seen->check, f->check);
    if (!same)
        put_checks(p, LEAD("Check"), f->check);
    if (seen) {
        el_page_line(p, same ? LEAD("Check, do ") : LEAD("Do       "), EL_STR("as above"));
        return;
    }
    put_list(p, LEAD("Do"), f->act);
    put_list(p, LEAD("Could be"), f->also);
    put_sources(p, LEAD("Source"), f->see);
}

static bool wanted(const struct el_finding *f, bool root, bool verbose) {
    return f->root == root && (verbose || f->severity != EL_INFO);
}

static const struct el_finding *shown_before(const struct el_report *r, size_t i, bool verbose) {
    for (size_t j = 0; j < i; j++)
        if (wanted(&r->finding[j], true, verbose) &&
            strcmp(r->finding[j].rule, r->finding[i].rule) == 0)
            return &r->finding[j];
    return NULL;
}

/* How many things were left out, and how to see them. */
static void put_rest(struct el_page *p, size_t rest, const char *thing) {
    if (rest)
        el_buf_print(p->out, "  and %zu more %s%s, see --verbose or --format json\n", rest, thing,
                     rest == 1 ? "" : "s");
}

static void put_first(struct el_page *p, const struct el_finding *f) {
    if (f && f->check.count)
        put_check(p, "  Check", f->check.item[0]);
    if (f && f->act.count)
        el_page_wrap(p, "  Do", INDENT, el_str(f->act.item[0]));
}

void el_text_next(struct el_page *p, const struct el_report *r) {
    const struct el_finding *device = el_report_leader(r, EL_DEVICE);
    const struct el_finding *kernel = el_report_leader(r, EL_VMKERNEL);
    const struct el_finding *cause = el_report_cause(r);
    bool both = r->verdict.layer == EL_MIXED && device && kernel;
    if (r->verdict.layer == EL_NONE ||
        (!both && !(cause && (cause->check.count || cause->act.count))))
        return;
    el_page_heading(p, "Next (all checks and remedies: see Findings)");
    put_first(p, both ? device : cause);
    put_first(p, both ? kernel : NULL);
}

static void put_short(struct el_page *p, const struct el_finding *f) {
    char lead[32];
    (void)snprintf(lead, sizeof lead, "  %-8s ", el_severity_name(f->severity));
    el_page_wrap(p, lead, strlen(lead), el_str(f->title));
}

/* Remarks are only counted, unless there is no problem with storage: then they say where else to look. */
static void put_remarks(struct el_page *p, const struct el_report *r, size_t count) {
    size_t shown = 0;
    for (size_t i = 0; r->verdict.layer == EL_NONE && i < r->findings && shown < LINES; i++)
        if (r->finding[i].severity == EL_INFO) {
            put_short(p, &r->finding[i]);
            shown++;
        }
    put_rest(p, count - shown, "remark");
}

void el_text_findings(struct el_page *p, const struct el_report *r, bool verbose) {
    size_t shown = 0, rest = 0, quiet = 0;
    el_page_heading(p, "Findings");
    for (size_t i = 0; i < r->findings; i++) {
        const struct el_finding *f = &r->finding[i];
        quiet += f->severity == EL_INFO && !verbose;
        if (!wanted(f, true, verbose))
            continue;
        if (!verbose && shown == FINDINGS) {
            rest++;
            continue;
        }
        put_finding(p, f, shown_before(r, i, verbose), verbose);
        shown++;
    }
    if (!shown)
        el_page_line(p, "  ", EL_STR("none"));
    if (rest || quiet)
        el_buf_char(p->out, '\n');
    put_rest(p, rest, "finding");
    if (quiet)
        put_remarks(p, r, quiet);
}

/* Did an earlier finding tell of the same entity and layer? */
static bool told(const struct el_report *r, size_t i) {
    const struct el_finding *f = &r->finding[i];
    for (size_t k = 0; k < i; k++) {
        const struct el_finding *other = &r->finding[k];
        if (other->severity != EL_INFO && other->layer == f->layer && other->kind == f->kind &&
            el_str_equal(other->name, f->name) && el_str_equal(other->host, f->host))
            return true;
    }
    return false;
}

void el_text_consequences(struct el_page *p, const struct el_report *r, bool verbose) {
    size_t shown = 0, rest = 0;
    for (size_t i = 0; i < r->findings; i++) {
        const struct el_finding *f = &r->finding[i];
        if (!wanted(f, false, verbose))
            continue;
        if (!verbose && (shown == LINES || told(r, i))) {
            rest++;
            continue;
        }
        if (shown == 0)
            el_page_heading(p, "Consequences: these follow from the findings above");
        put_short(p, f);
        shown++;
    }
    if (shown == 0 && rest)
        el_buf_char(p->out, '\n');
    put_rest(p, rest, "consequence");
}

void el_text_why(struct el_page *p, const struct el_report *r) {
    for (size_t i = 0; i < r->whys; i++) {
        const struct el_why *w = &r->why[i];
        struct el_buf line = { 0 };
        if (i == 0)
            el_page_heading(p, "Why: every rule considered");
        el_buf_print(&line, "%s ", el_kind_name(w->kind));
        el_buf_add(&line, w->name.ptr, w->name.len);
        el_page_line(p, "  ", (struct el_str){ line.ptr, line.len });
        el_buf_release(&line);
        el_buf_text(p->out, w->text); /* words, formulas and numbers of ours */
    }
}
