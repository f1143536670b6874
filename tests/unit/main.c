/* Runs every suite of tests/unit and tests/rules.  CK_VERBOSITY, CK_RUN_SUITE, CK_RUN_CASE and
 * CK_FORK=no choose as usual. */
#include "unit.h"

#include <stdlib.h>

int main(void) {
    SRunner *runner = srunner_create(NULL);
#define SUITE(name) srunner_add_suite(runner, name());
#include "suites.h"
#undef SUITE
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
