#include "esxlat/app/analyse.h"

#include <string.h>

#include "capture.h"
#include "guests.h"
#include "pipeline.h"

struct analysis {
    const struct el_options *options;
    const struct el_observer *observer;
    struct el_pipeline pipe;
    struct el_guests guests;
    struct el_report *out;
    size_t capture_room;
    bool hopeless; /* the rules are wrong */
};

static void tell_progress(const struct analysis *a, const struct el_source *source,
                          const char *file) {
    uint64_t done, total;
    if (!a->observer || !a->observer->progress)
        return;
    el_source_position(source, &done, &total);
    a->observer->progress(a->observer->ctx, file, done, total);
}

static struct el_source *open_source(const struct analysis *a, const char *file,
                                     struct el_error *err) {
    const struct el_options *o = a->options;
    return o->data ? el_source_memory(file, o->data, o->data_length, err)
                   : el_source_open(file, err);
}

/* If not, all that is said is what is wrong with them. */
static bool rules_are_there(struct analysis *a, struct el_error *err) {
    a->hopeless = !el_task_wait(a->options->rules_task, err);
    return !a->hopeless;
}

/* All blocks of one file through the pipeline. */
static bool read_blocks(struct analysis *a, struct el_reader *reader,
                        const struct el_source *source, const char *file, struct el_error *err) {
    const struct el_block *block;
    for (;;) {
        switch (el_reader_next(reader, &block, err)) {
        case EL_READ_RUN:
            if (!rules_are_there(a, err))
                return false;
            el_pipeline_open_run(&a->pipe);
            break;
        case EL_READ_BLOCK:
            el_pipeline_take(&a->pipe, block);
            tell_progress(a, source, file);
            break;
        case EL_READ_END: return true;
        case EL_READ_FAILED: return false;
        }
    }
}

/* Samples in which GAVG was not DAVG + KAVG, so far. */
static uint64_t broken_sums(const struct el_pipeline *p) {
    uint64_t sum = 0;
    for (size_t i = 0; i < p->entities; i++)
        sum += p->stats[i].sum_broken;
    return sum;
}

/* Does an earlier capture of the same host cover a part of the same time? */
static bool overlaps(const struct analysis *a, const struct el_totals *t) {
    for (size_t i = 0; i < a->out->captures; i++) {
        const struct el_capture_report *c = &a->out->capture[i];
        if (el_str_equal(c->host, a->pipe.catalog->host) && c->start < t->end && t->start < c->end)
            return true;
    }
    return false;
}

static bool analyse_source(struct analysis *a, struct el_source *source, const char *file,
                           struct el_error *err) {
    const struct el_options *o = a->options;
    const struct el_reader_options how = { .chunk = o->chunk,
                                           .from = o->from,
                                           .to = o->to,
                                           .crew = a->pipe.crew,
                                           .libcsv_only = o->libcsv_only,
                                           .level = o->has_level ? o->level : el_skim_best() };
    struct el_quality quality = { 0 };
    struct el_totals totals;
    uint64_t broken = broken_sums(&a->pipe);
    el_catalog_begin_file(a->pipe.catalog);
    struct el_reader *reader = el_reader_new(source, &how, a->pipe.catalog, &quality);
    bool fine = read_blocks(a, reader, source, file, err);
    if (fine) {
        el_reader_totals(reader, &totals);
        el_quality_add(&quality, EL_Q_SUM_BROKEN, 0, broken_sums(&a->pipe) - broken);
        fine = el_capture_usable(a->pipe.catalog, &quality, &totals, file, el_source_head(source),
                                 err);
    }
    if (fine) {
        if (overlaps(a, &totals))
            el_quality_note(&quality, EL_Q_OVERLAP, 1);
        struct el_capture_report *row = EL_PUSH(a->out->capture, a->out->captures, a->capture_room);
        el_capture_describe(a->pipe.catalog, &quality, &totals, file, &a->out->arena, row);
    }
    el_reader_free(reader);
    return fine;
}

/* One of several failed: the others go on.  `worst` keeps the worst status. */
static void note_failure(struct analysis *a, const struct el_error *failure, bool several,
                         struct el_error *worst) {
    if (!rules_are_there(a, worst))
        return;
    if (several && a->observer && a->observer->trouble)
        a->observer->trouble(a->observer->ctx, failure);
    if (failure->status > worst->status)
        *worst = *failure;
}

/* A file is a capture, or an archive of several. */
static void analyse_file(struct analysis *a, const char *file, struct el_error *worst) {
    struct el_error failure, broken;
    bool several = a->options->files > 1, more = true;
    struct el_source *source = open_source(a, file, &failure);
    if (!source)
        note_failure(a, &failure, several, worst);
    while (source && more && !a->hopeless) {
        bool fine = analyse_source(a, source, el_source_name(source), &failure);
        bool whole = el_source_next(source, &more, &broken);
        several |= more || !whole;
        if (!fine)
            note_failure(a, &failure, several, worst);
        if (!whole)
            note_failure(a, &broken, several, worst);
    }
    el_source_free(source);
}

/* The rows of captures move from a growing array into the arena. */
static void own_captures(struct analysis *a) {
    struct el_capture_report *kept =
        el_arena_alloc(&a->out->arena, (a->out->captures + 1) * sizeof *kept);
    if (a->out->captures)
        memcpy(kept, a->out->capture, a->out->captures * sizeof *kept);
    el_free(a->out->capture);
    a->out->capture = kept;
}

/* What --lun, --vm and --adapter name; released by the caller. */
static uint32_t *named_entities(const struct analysis *a, size_t *count) {
    const struct el_options *o = a->options;
    uint32_t *id = NULL;
    size_t room = 0;
    *count = 0;
    for (uint32_t i = 0; i < a->pipe.catalog->entities; i++) {
        const struct el_entity *e = &a->pipe.catalog->entity[i];
        bool named = e->kind == EL_LUN || e->kind == EL_NFS ? el_str_among(e->name, o->lun, o->luns)
                     : e->kind == EL_VM                     ? el_str_among(e->name, o->vm, o->vms)
                     : e->kind == EL_ADAPTER ? el_str_among(e->name, o->adapter, o->adapters)
                                             : false;
        if (named)
            *EL_PUSH(id, *count, room) = i;
    }
    return id;
}

static void judge_all(struct analysis *a) {
    struct el_pipeline *p = &a->pipe;
    size_t named = 0;
    el_pipeline_finish(p);
    uint32_t *asked = named_entities(a, &named);
    el_guests_join(&a->guests, p);
    const struct el_evidence evidence = { .catalog = p->catalog,
                                          .links = &p->links,
                                          .stats = p->stats,
                                          .series = a->options->want_series ? p->series : NULL,
                                          .waits = p->waits,
                                          .axis = p->axis,
                                          .rules = a->options->rules,
                                          .judge = p->judge,
                                          .guest = a->guests.join,
                                          .guests = a->guests.count,
                                          .profile = a->options->profile,
                                          .why = a->options->why,
                                          .asked = asked,
                                          .asked_count = named };
    el_verdict_make(&evidence, a->out);
    el_free(asked);
}

/* The entity of a kind with that name, or a few names of those there are. */
static bool name_is_there(const struct analysis *a, unsigned kinds, const char *name,
                          struct el_buf *others) {
    size_t listed = 0;
    for (size_t i = 0; i < a->pipe.catalog->entities; i++) {
        const struct el_entity *e = &a->pipe.catalog->entity[i];
        if (!(EL_KIND_BIT(e->kind) & kinds))
            continue;
        if (el_str_is(e->name, name))
            return true;
        if (listed++ < 5) {
            el_buf_text(others, listed > 1 ? ", " : "");
            (void)el_buf_visible(others, e->name);
        }
    }
    el_buf_text(others, listed > 5 ? ", ..." : listed ? "" : "none");
    return false;
}

static bool all_there(const struct analysis *a, const char *option, unsigned kinds,
                      const char *const *name, size_t count, struct el_error *err) {
    for (size_t i = 0; i < count; i++) {
        struct el_buf others = { 0 };
        bool found = name_is_there(a, kinds, name[i], &others);
        if (!found)
            (void)el_fail(err, EL_USAGE,
                          "nothing in the capture is called '%s' (--%s); there are: %s", name[i],
                          option, others.ptr);
        el_buf_release(&others);
        if (!found)
            return false;
    }
    return true;
}

/* What --lun, --vm and --adapter name must exist: "nothing found" about a mistyped name would mislead. */
static bool names_are_there(const struct analysis *a, struct el_error *err) {
    const struct el_options *o = a->options;
    return all_there(a, "lun", EL_KIND_BIT(EL_LUN) | EL_KIND_BIT(EL_NFS), o->lun, o->luns, err) &&
           all_there(a, "vm", EL_KIND_BIT(EL_VM), o->vm, o->vms, err) &&
           all_there(a, "adapter", EL_KIND_BIT(EL_ADAPTER), o->adapter, o->adapters, err);
}

bool el_analyse(const struct el_options *o, const struct el_observer *observer,
                struct el_report *out, struct el_error *err) {
    struct analysis a = { .options = o, .observer = observer, .out = out };
    *out = (struct el_report){ 0 };
    err->status = EL_OK;
    if (!el_guests_read(&a.guests, o, err)) {
        (void)el_task_wait(o->rules_task, err); /* rules that are wrong are told first */
        el_guests_release(&a.guests);
        return false;
    }
    el_pipeline_init(&a.pipe, o);
    a.pipe.watch = a.guests.watch;
    for (size_t i = 0; i < o->files && !a.hopeless; i++)
        analyse_file(&a, o->file[i], err);
    bool any = rules_are_there(&a, err) && out->captures > 0 && names_are_there(&a, err) &&
               el_guests_named(&a.guests, a.pipe.catalog, err);
    own_captures(&a);
    if (any)
        judge_all(&a);
    el_arena_adopt(&out->arena, &a.pipe.catalog->arena); /* names stay where they are */
    el_pipeline_release(&a.pipe);
    el_guests_release(&a.guests);
    return any;
}
