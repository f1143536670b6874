/* Any bytes as a capture: the whole analysis and every renderer; both readers must agree. */
#include "fuzz.h"

#include "esxlat/app/analyse.h"

#include <stdlib.h>
#include <string.h>

static const char rules_text[] = "[slow]\non = lun vm vdisk adapter path world nfs\n"
                                 "when = gavg > 20 or davg > 10 or lat_rd > 20\nlayer = device\n"
                                 "severity = warning\ntitle = {name} is slow\n"
                                 "because = {p95(gavg)} ms\n";

static void run(const struct el_ruleset *rules, struct el_str bytes, bool libcsv,
                struct el_buf *json) {
    static const char *const name = "fuzz.csv";
    struct el_error err;
    struct el_report report = { 0 };
    struct el_text_style style = { .colour = true, .verbose = true };
    struct el_buf text = { 0 };
    struct el_options o = { .file = &name,
                            .files = 1,
                            .rules = rules,
                            .profile = EL_AUTO,
                            .threads = 1,
                            .libcsv_only = libcsv,
                            .want_series = true,
                            .data = bytes.ptr,
                            .data_length = bytes.len };
    if (el_analyse(&o, NULL, &report, &err)) {
        el_report_text(&report, &style, &text);
        el_report_listing(&report, &style, &text);
        el_report_json(&report, json);
    }
    el_buf_release(&text);
    el_report_release(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct el_error err;
    struct el_buf fast = { 0 }, slow = { 0 };
    struct el_ruleset *rules = el_ruleset_new();
    if (!el_ruleset_parse(rules, "fuzz.ini", el_str(rules_text), &err) ||
        !el_ruleset_compile(rules, &err))
        abort();
    run(rules, (struct el_str){ (const char *)bytes, size }, false, &fast);
    run(rules, (struct el_str){ (const char *)bytes, size }, true, &slow);
    if (fast.len != slow.len || (fast.len > 0 && memcmp(fast.ptr, slow.ptr, fast.len) != 0))
        abort();
    el_buf_release(&fast);
    el_buf_release(&slow);
    el_ruleset_free(rules);
    return 0;
}
