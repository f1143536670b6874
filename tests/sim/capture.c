#include "capture.h"

#include <math.h>

#include "layout.h"
#include "memory.h"

struct capture {
    struct layout layout;
    struct out *out;
    struct capture_options options;
    uint32_t chance; /* for the columns that tell nothing */
    long rows;
};

enum { WORLD_COLUMNS_ALL = 24, WORLD_COLUMNS_DEFAULT = 11 };

struct capture *capture_new(const struct host *h, const struct books *b, const struct cpu *cpu,
                            const struct capture_options *options, struct out *out) {
    struct capture *c = memory_new(1, sizeof *c);
    c->out = out;
    c->options = *options;
    c->chance = 12345;
    layout_build(&c->layout, h, b, cpu, options, 0);
    long missing = options->fill - (long)c->layout.count;
    if (missing > 0) {
        long each = options->style == STYLE_ALL ? WORLD_COLUMNS_ALL : WORLD_COLUMNS_DEFAULT;
        layout_release(&c->layout);
        layout_build(&c->layout, h, b, cpu, options, (missing + each - 1) / each);
    }
    return c;
}

void capture_free(struct capture *c) {
    if (c == NULL)
        return;
    layout_release(&c->layout);
    memory_free(c);
}

static void end_line(const struct capture *c) {
    if (c->options.style == STYLE_DEFAULT)
        out_char(c->out, ',');
    out_char(c->out, '\n');
}

void capture_header(struct capture *c) {
    bool comma = true;
    out_text(c->out, "\"(PDH-CSV 4.0) (UTC)(0)\"");
    for (size_t i = 0; i < c->layout.count; i++) {
        const struct column *column = &c->layout.columns[i];
        if (comma)
            out_char(c->out, ',');
        comma = column->kind != COLUMN_BARE;
        if (!comma) {
            out_text(c->out, "   -");
            continue;
        }
        out_char(c->out, '"');
        out_text(c->out, &c->layout.text[column->path]);
        out_char(c->out, '"');
    }
    end_line(c);
}

static void put_padded(struct out *o, int value, int width) {
    for (int limit = width == 4 ? 1000 : 10; limit > 1 && value < limit; limit /= 10)
        out_char(o, '0');
    out_int(o, value);
}

static void put_stamp(struct out *o, int64_t epoch_s) {
    struct moment m = moment_of(epoch_s);
    const int parts[] = { m.month, m.day, m.year, m.hour, m.minute, m.second };
    for (int i = 0; i < 6; i++) {
        put_padded(o, parts[i], i == 2 ? 4 : 2);
        if (i < 5)
            out_char(o, "// ::"[i]);
    }
}

/* Within 10 % of the usual value; in a lean capture it seldom leaves it. */
static int64_t moved(struct capture *c, size_t index, int64_t centi) {
    if (c->options.lean && ((size_t)c->rows + index) % 16 != 0)
        return centi;
    c->chance = c->chance * 1664525u + 1013904223u;
    return centi * (922 + (int64_t)(c->chance >> 24) * 204 / 255) / 1024;
}

static void put_cell(struct capture *c, size_t index) {
    const struct column *column = &c->layout.columns[index];
    double value = column->cell != NULL && (c->rows > 0 || column->in_baseline) ? *column->cell : 0;
    switch (column->kind) {
    case COLUMN_FLOAT: out_centi(c->out, llround(100 * value)); break;
    case COLUMN_INT: out_int(c->out, llround(value)); break;
    case COLUMN_FIXED: out_text(c->out, &c->layout.text[column->value]); break;
    case COLUMN_NUMBER: out_centi(c->out, moved(c, index, column->centi)); break;
    case COLUMN_BARE:
        out_text(c->out, "    ");
        out_int(c->out, column->centi / 10);
        out_char(c->out, '.');
        out_int(c->out, column->centi % 10);
        break;
    }
}

void capture_row(struct capture *c, int64_t epoch_s) {
    bool comma = true;
    out_char(c->out, '"');
    put_stamp(c->out, epoch_s);
    out_char(c->out, '"');
    for (size_t i = 0; i < c->layout.count; i++) {
        bool bare = c->layout.columns[i].kind == COLUMN_BARE;
        if (comma)
            out_char(c->out, ',');
        comma = !bare;
        if (!bare)
            out_char(c->out, '"');
        put_cell(c, i);
        if (!bare)
            out_char(c->out, '"');
    }
    end_line(c);
    c->rows++;
}
