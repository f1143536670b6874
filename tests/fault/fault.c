/* fault PROGRAM-ARGUMENTS... - run the whole program with its n-th allocation failing, for every n:
 * each run must end by itself, with a message and exit code 5, or not care.
 *
 * The linker leads our allocations here (--wrap); those of PCRE2 and libcsv come the same way, through
 * our allocator.  `esxlat_main` is the program's main, renamed. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int esxlat_main(int argc, char **argv);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

enum { RUNS = 4000 };

static atomic_long made, failing;

static bool fails(void) {
    return atomic_fetch_add(&made, 1) + 1 == atomic_load(&failing);
}
void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}

/* Run with the n-th allocation failing (0: none); what it said goes to `said`.  The wait status. */
static int run(long n, int argc, char **argv, FILE *said, long *allocations) {
    int report[2], status = -1;
    if (pipe(report) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(fileno(said), STDERR_FILENO);
        if (!freopen("/dev/null", "w", stdout))
            _exit(99);
        atomic_store(&made, 0);
        atomic_store(&failing, n);
        int code = esxlat_main(argc, argv);
        long count = atomic_load(&made);
        _exit(write(report[1], &count, sizeof count) == (ssize_t)sizeof count ? code : 99);
    }
    (void)close(report[1]);
    if (read(report[0], allocations, sizeof *allocations) != (ssize_t)sizeof *allocations)
        *allocations = 0;
    (void)close(report[0]);
    return waitpid(child, &status, 0) == child ? status : -1;
}

/* Exit code 0 (it did not matter) or 5 with exactly one line. */
static bool clean(int status, FILE *said) {
    char text[512] = "";
    rewind(said);
    size_t n = fread(text, 1, sizeof text - 1, said);
    text[n] = '\0';
    if (!WIFEXITED(status))
        return false;
    if (WEXITSTATUS(status) == 0)
        return true;
    const char *end = strchr(text, '\n');
    return WEXITSTATUS(status) == 5 && strncmp(text, "esxlat: ", 8) == 0 && end && end[1] == '\0';
}

int main(int argc, char **argv) {
    long total = 0, ignored = 0, bad = 0, runs = 0;
    int first = run(0, argc, argv, stderr, &total);
    if (!WIFEXITED(first) || WEXITSTATUS(first) != 0 || total == 0)
        return EXIT_FAILURE;
    long step = total / RUNS + 1;
    for (long n = 1; n <= total; n += step, runs++) {
        FILE *said = tmpfile();
        if (!said)
            return EXIT_FAILURE;
        int status = run(n, argc, argv, said, &ignored);
        if (!clean(status, said)) {
            (void)printf("fault: allocation %ld of %ld failing ends with wait status %#x\n", n,
                         total, (unsigned)status);
            bad++;
        }
        (void)fclose(said);
    }
    (void)printf("fault: %ld of %ld allocations failed in turn, %ld ended badly\n", runs, total,
                 bad);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
