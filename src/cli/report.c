/* The commands `report` and `list`: analyse, render, write. */
#include "esxlat/app/analyse.h"
#include "esxlat/base/file.h"
#include "esxlat/cli/command.h"
#include "esxlat/cli/output.h"
#include "esxlat/cli/progress.h"

#include <string.h>
#include <unistd.h>

/* What the observer needs. */
struct watch {
    struct el_progress progress;
    enum el_status worst;
};

static void on_progress(void *ctx, const char *file, uint64_t done, uint64_t total) {
    struct watch *w = ctx;
    el_progress_update(&w->progress, file, done, total);
}

static void on_trouble(void *ctx, const struct el_error *e) {
    struct watch *w = ctx;
    el_progress_erase(&w->progress);
    el_out_error(e);
    if (e->status > w->worst)
        w->worst = e->status;
}

static enum el_status worse(enum el_status a, enum el_status b) {
    return a > b ? a : b;
}

static void fill_names(const struct el_cli *c, enum el_option option, const char *const **names,
                       size_t *count) {
    *names = c->setting[option].text;
    *count = c->setting[option].count;
}

/* Words of --reader, in its order; behind them come the levels of the scanner, in theirs. */
enum { READER_AUTO, READER_LIBCSV, READER_LEVELS };

static struct el_options options_of(const struct el_cli *c, const struct el_ruleset *rules,
                                    struct el_task *rules_task) {
    struct el_options o = {
        .file = c->operand,
        .files = c->operands,
        .rules = rules,
        .rules_task = rules_task,
        .profile = EL_AUTO,
        .threads = (unsigned)el_cli_number(c, EL_O_THREADS),
        .libcsv_only = el_cli_number(c, EL_O_READER) == READER_LIBCSV,
        .has_level = el_cli_number(c, EL_O_READER) > READER_LIBCSV,
        .want_series = el_cli_given(c, EL_O_OUTPUT),
    };
    if (o.has_level)
        o.level = (enum el_skim_level)(el_cli_number(c, EL_O_READER) - READER_LEVELS);
    o.verdict_only = c->command == EL_C_REPORT && el_cli_number(c, EL_O_FORMAT) == 0 &&
                     !el_cli_flag(c, EL_O_VERBOSE) && !o.want_series;
    (void)el_profile_find(
        el_cli_word(el_option_info(EL_O_PROFILE)->words, (size_t)el_cli_number(c, EL_O_PROFILE)),
        &o.profile);
    if (el_cli_given(c, EL_O_FROM) || el_cli_given(c, EL_O_TO)) {
        o.from = el_cli_given(c, EL_O_FROM) ? el_cli_number(c, EL_O_FROM) : INT64_MIN;
        o.to = el_cli_given(c, EL_O_TO) ? el_cli_number(c, EL_O_TO) : INT64_MAX;
    }
    o.why = el_cli_flag(c, EL_O_WHY);
    fill_names(c, EL_O_LUN, &o.lun, &o.luns);
    fill_names(c, EL_O_VM, &o.vm, &o.vms);
    fill_names(c, EL_O_ADAPTER, &o.adapter, &o.adapters);
    fill_names(c, EL_O_GUEST, &o.guest, &o.guests);
    return o;
}

/* A format: what it makes of the report for each of the two commands. */
static void render(const struct el_cli *c, const struct el_report *r, bool json, bool colour,
                   struct el_buf *out) {
    struct el_text_style style = { .colour = colour, .verbose = el_cli_flag(c, EL_O_VERBOSE) };
    bool list = c->command == EL_C_LIST;
    if (json)
        (list ? el_report_listing_json : el_report_json)(r, out);
    else
        (list ? el_report_listing : el_report_text)(r, &style, out);
}

static bool write_one(const struct el_cli *c, const struct el_report *r, bool json,
                      const char *name, struct el_error *err) {
    struct el_buf text = { .limit = SIZE_MAX }; /* as large as the host is */
    render(c, r, json, false, &text);
    bool good = el_file_write(el_cli_text(c, EL_O_OUTPUT), name, &text, err);
    el_buf_release(&text);
    return good;
}

static bool write_folder(const struct el_cli *c, const struct el_report *r, struct el_error *err) {
    const char *folder = el_cli_text(c, EL_O_OUTPUT);
    if (!el_folder_make(folder, err) || !write_one(c, r, false, "verdict.txt", err) ||
        !write_one(c, r, true, "report.json", err))
        return false;
    size_t written = 0, drawn = 0;
    struct el_buf plots = { 0 };
    el_buf_print(&plots, "%s/plots", folder);
    bool good = el_report_plots(r, plots.ptr, &written, &drawn, err);
    if (good && drawn < written && !el_cli_flag(c, EL_O_QUIET))
        el_out_say("%zu of %zu pictures in '%s' were not drawn; with gnuplot, in that folder: "
                   "for p in *.gp; do gnuplot \"$p\"; done",
                   written - drawn, written, plots.ptr);
    el_buf_release(&plots);
    return good;
}

static enum el_status judged(const struct el_cli *c, const struct el_report *r) {
    int64_t level = el_cli_number(c, EL_O_FAIL_ON); /* never, info, warning, critical */
    for (size_t i = 0; level > 0 && i < r->findings; i++)
        if ((int64_t)r->finding[i].severity + 1 >= level)
            return EL_FINDINGS;
    return EL_OK;
}

static enum el_status flaws(const struct el_cli *c, const struct el_report *r) {
    for (size_t i = 0; el_cli_flag(c, EL_O_STRICT) && i < r->captures; i++)
        for (size_t k = 0; k < r->capture[i].quality_count; k++) {
            const struct el_note *note = &r->capture[i].quality[k];
            if (note->harmless)
                continue;
            el_out_say("%s: with --strict a flaw is an error: %s", r->capture[i].file, note->text);
            return EL_CAPTURE;
        }
    return EL_OK;
}

static enum el_status answer(const struct el_cli *c, const struct el_report *r) {
    struct el_error err;
    struct el_buf text = { .limit = SIZE_MAX };
    bool json = el_cli_number(c, EL_O_FORMAT) != 0;
    render(c, r, json, el_out_colour(STDOUT_FILENO, el_cli_number(c, EL_O_COLOR)), &text);
    el_out_answer(&text);
    el_buf_release(&text);
    if (el_cli_given(c, EL_O_OUTPUT) && !write_folder(c, r, &err)) {
        el_out_error(&err);
        return err.status;
    }
    return c->command == EL_C_REPORT ? worse(judged(c, r), flaws(c, r)) : flaws(c, r);
}

struct rules { /* to be read and compiled */
    const struct el_cli *cli;
    struct el_ruleset *set;
};

static bool find_rules(void *ctx, struct el_error *err) {
    const struct rules *rules = ctx;
    if (el_cli_flag(rules->cli, EL_O_WHY))
        el_ruleset_explain(rules->set);
    return el_rules_find(rules->cli, NULL, 0, rules->set, err);
}

static enum el_status analyse(struct el_cli *c, const struct el_ruleset *rules,
                              struct el_task *rules_task) {
    struct el_error err = { .status = EL_OK };
    struct watch watch = { .worst = EL_OK };
    struct el_observer observer = { on_progress, on_trouble, &watch };
    struct el_report report = { 0 };
    struct el_options options = options_of(c, rules, rules_task);
    if (options.has_level && !el_skim_can(options.level)) {
        el_out_say("--reader %s: this machine cannot do that", el_skim_name(options.level));
        return EL_USAGE;
    }
    el_progress_start(&watch.progress, el_cli_flag(c, EL_O_QUIET));
    bool good = el_analyse(&options, &observer, &report, &err);
    el_progress_erase(&watch.progress);
    enum el_status status = worse(err.status, watch.worst);
    if (good)
        status = worse(status, answer(c, &report));
    else
        el_out_error(&err);
    el_report_release(&report);
    return status;
}

/* Rules are compiled while the first header is read: not so where that comes from standard input, which may take its time,
 * and what is wrong with rules is to be told at once. */
static bool may_go_on_beside(const struct el_cli *c) {
    bool beside = el_cli_number(c, EL_O_THREADS) != 1;
    for (size_t i = 0; i < c->operands; i++)
        beside &= strcmp(c->operand[i], "-") != 0;
    return beside;
}

enum el_status el_command_report(struct el_cli *c) {
    struct el_error err = { .status = EL_USAGE,
                            .text = "no capture given: name a file, or '-' for standard input" };
    static const char *const standard_input = "-";
    if (c->operands == 0 && isatty(STDIN_FILENO)) {
        el_out_error(&err);
        return EL_USAGE;
    }
    if (c->operands == 0)
        *EL_PUSH(c->operand, c->operands, c->room) = standard_input;
    struct rules rules = { c, el_ruleset_new() };
    bool beside = may_go_on_beside(c);
    struct el_task *task = el_task_start(find_rules, &rules, beside);
    enum el_status status = EL_OK;
    if (beside || el_task_wait(task, &err)) {
        status = analyse(c, rules.set, task);
    } else {
        el_out_error(&err);
        status = err.status;
    }
    el_task_free(task);
    el_ruleset_free(rules.set);
    return status;
}
