/* Any text as a rule file: parsed, compiled, and shown. */
#include "fuzz.h"

#include "esxlat/rules/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct el_error err;
    struct el_buf out = { 0 };
    struct el_ruleset *rs = el_ruleset_new();
    struct el_str text = { (const char *)bytes, size };
    if (el_ruleset_parse(rs, "fuzz.ini", text, &err) && el_ruleset_compile(rs, &err)) {
        el_rules_list(rs, &out);
        for (size_t i = 0; i < el_ruleset_count(rs); i++)
            (void)el_rules_explain(rs, el_rule_id(el_ruleset_rule(rs, i)), &out, &err);
        el_rules_metrics(rs, &out);
    }
    el_buf_release(&out);
    el_ruleset_free(rs);
    return 0;
}
