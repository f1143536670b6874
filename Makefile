# esxlat: `make help` lists the targets.
#
# The packager sets CC, CFLAGS, CPPFLAGS, LDFLAGS, PREFIX and DESTDIR.  WERROR=1 turns warnings into
# errors, SAN=address,undefined builds with sanitizers into a folder of its own, V=1 shows commands.

VERSION = 0.1.0
PREFIX = /usr/local
DESTDIR =
CFLAGS = -O2 -g
SAN =
B = build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))
comma = ,

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
  -Wmissing-prototypes -Wold-style-definition -Wwrite-strings -Wcast-qual -Wpointer-arith -Wundef \
  -Wvla -Wformat=2 -Wdouble-promotion -Wswitch-enum -Wimplicit-fallthrough -Wnull-dereference \
  $(if $(WERROR),-Werror)
SANITIZE = $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)

# Asked for when first used, since pkg-config may be what `make demo` has to install.
# ISAL is empty where libisal is not installed: libarchive does gzip then (`make ISAL=` forbids it).
PACKAGES = libpcre2-8 libarchive inih jansson $(ISAL)
ask = $(eval $1 := $(shell $2))$($1)
ISAL = $(call ask,ISAL,pkg-config --exists libisal && echo libisal)
LIB_CFLAGS = $(call ask,LIB_CFLAGS,pkg-config --cflags $(PACKAGES))
LIB_LIBS = $(call ask,LIB_LIBS,pkg-config --libs $(PACKAGES); echo -lcsv -lm -lpthread)
CHECK_LIBS = $(call ask,CHECK_LIBS,pkg-config --libs check)
VERSIONS = $(call ask,VERSIONS,for p in $(PACKAGES); do echo $$p $$(pkg-config --modversion $$p); done; echo libcsv)

DEFINES = -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 $(ISAL:libisal=-DESXLAT_ISAL)
COMPILE = $(CC) -std=c17 $(WARNINGS) $(SANITIZE) $(CFLAGS) $(CPPFLAGS) $(DEFINES) -Iinclude -I$(B)/tests \
  $(LIB_CFLAGS) -MMD -MP
LINK = $(CC) $(SANITIZE) $(CFLAGS) $(LDFLAGS) -o $@
Q = $(if $(V),,@echo "  $(@F)";)
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN))
object = $(patsubst %.c,$(B)/obj/%.o,$1)

MAINS = src/cli/main.c src/cli/gen.c
LIB_SRC = $(filter-out $(MAINS),$(wildcard src/*/*.c))
UNIT_SRC = $(wildcard tests/unit/*.c tests/rules/*.c)
SIM_SRC = $(wildcard tests/sim/*.c)
FUZZERS = $(filter-out replay,$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
LIB = $(B)/libesxlat.a
PAGES = $(B)/esxlat.1 $(B)/esxlat-rules.5
COMPLETIONS = $(addprefix $(B)/esxlat.,bash zsh fish)
TESTS = $(addprefix $(B)/tests/,unit esxsim fault $(FUZZERS:%=replay-%))

all: $(B)/esxlat $(PAGES) $(COMPLETIONS) ## build the program, man pages and completions

demo: ready ## install what is missing, build, and diagnose a sample
	@$(MAKE) --no-print-directory $(JOBS) run-demo
check: ready ## all tests, then the unit tests' summary
	@$(MAKE) --no-print-directory $(JOBS) run-check
ready:
	@.ci/deps build
deps: ## install the packages that building, testing and linting need
	.ci/deps all

run-demo: $(B)/esxlat
	$(B)/esxlat report -o $(B)/demo samples/slow-array.csv.gz
	@echo; echo "The same as files: $(B)/demo/verdict.txt, $(B)/demo/report.json, pictures in $(B)/demo/plots/"

# Each tests/*/run is a script that gets the build folder.  All run, whatever fails; the unit tests
# come last, so that the summary of the Check library closes the output.
run-check: all $(TESTS)
	@failed=0; for t in $(if $(SAN),,tests/lint/lint) $(wildcard tests/*/run); do \
	  $$t $(abspath $(B)) || failed=1; done; \
	$(B)/tests/unit && exit $$failed

$(B)/esxlat: $(B)/obj/src/cli/main.o $(LIB)
	$Q$(LINK) $^ $(LIB_LIBS)
$(B)/gen: $(B)/obj/src/cli/gen.o $(LIB)
	$Q$(LINK) $^ $(LIB_LIBS)
$(LIB): $(call object,$(LIB_SRC))
	@rm -f $@
	$Q$(AR) rcs $@ $^
$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$Q$(COMPILE) -c -o $@ $<
$(call object,$(wildcard src/cli/*.c)): Makefile
$(B)/obj/src/cli/%.o: DEFINES += -DEL_VERSION='"$(VERSION)"' -DEL_PREFIX='"$(PREFIX)"' \
  -DEL_LIBRARIES='"$(VERSIONS)"'

# Documents that come out of the program's own tables.
$(B)/esxlat.1: src/cli/esxlat.1.in $(B)/gen
	@$(B)/gen man <$< >$@
$(B)/esxlat-rules.5: src/cli/esxlat-rules.5.in $(B)/gen $(wildcard rules/*.ini)
	@$(B)/gen man <$< >$@
$(COMPLETIONS): $(B)/esxlat.%: $(B)/gen
	@$(B)/gen $* >$@

# A unit test file is one suite: a function `Suite *name(void)`; the list is made from the sources.
$(B)/tests/suites.h: $(UNIT_SRC)
	@mkdir -p $(@D)
	@sed -n 's/^Suite \*\([a-z0-9_]*\)(void).*/SUITE(\1)/p' $^ >$@
$(call object,$(UNIT_SRC)): | $(B)/tests/suites.h
$(B)/obj/tests/unit/main.o: $(B)/tests/suites.h
$(B)/tests/unit: $(call object,$(UNIT_SRC)) $(LIB)
	$Q$(LINK) $^ $(CHECK_LIBS) $(LIB_LIBS)
$(B)/tests/esxsim: $(call object,$(SIM_SRC))
	@mkdir -p $(@D)
	$Q$(LINK) $^ -lm
$(B)/obj/esxlat_main.o: $(B)/obj/src/cli/main.o
	@objcopy --redefine-sym main=esxlat_main $< $@
$(B)/tests/fault: $(call object,$(wildcard tests/fault/*.c)) $(B)/obj/esxlat_main.o $(LIB)
	@mkdir -p $(@D)
	$Q$(LINK) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc $^ $(LIB_LIBS)
$(B)/tests/replay-%: $(B)/obj/tests/fuzz/%.o $(B)/obj/tests/fuzz/replay.o $(LIB)
	@mkdir -p $(@D)
	$Q$(LINK) $^ $(LIB_LIBS)
.SECONDARY: $(call object,$(wildcard tests/fuzz/*.c))
objects: $(call object,$(LIB_SRC) $(MAINS) $(UNIT_SRC) $(wildcard tests/sim/*.c tests/fault/*.c tests/fuzz/*.c tests/bench/*.c))

lint: ## layers, headers, sizes, format, warnings of gcc and clang, scripts, man pages
	@$(MAKE) --no-print-directory run-lint
run-lint: all
	@tests/lint/lint $(B)
FILES = $(wildcard src/*/*.[ch] include/esxlat/*/*.h tests/*/*.[ch])
format: ## bring FILES (default: every C file) into the house format
	clang-format -i $(FILES)
golden-update: $(B)/esxlat $(B)/tests/esxsim ## rewrite the expected output of the golden cases and show the difference
	tests/golden/run $(B) --update
san: ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) --no-print-directory check SAN=address,undefined CFLAGS="-O1 -g"
fuzz: ## fuzz each target for FUZZ_SECONDS (clang)
	@tests/fuzz/fuzz $(B) $(FUZZERS)
bench: $(B)/esxlat $(B)/tests/esxsim $(B)/tests/grow $(B)/tests/pass ## speed and memory next to wc -l and other tools
	@tests/bench/bench $(abspath $(B))
$(B)/tests/grow $(B)/tests/pass: $(B)/tests/%: $(B)/obj/tests/bench/%.o
	@mkdir -p $(@D)
	$Q$(LINK) $^ -lcsv
$(B)/tests/judge: $(call object,$(wildcard tests/bench/judge*.c))
	@mkdir -p $(@D)
	$Q$(LINK) $^ $(LIB_LIBS)
accuracy: $(B)/esxlat $(B)/tests/esxsim $(B)/tests/judge ## how often the verdict is right: simulated hosts, and ../shared where it is
	@tests/bench/accuracy $(B)
	@tests/bench/guests $(B)
samples: $(B)/tests/esxsim ## make the captures in samples/ again
	cd samples && ESXSIM=$(abspath $(B))/tests/esxsim sh ./make.sh

I = install -D -m 644
share = $(DESTDIR)$(PREFIX)/share
install: all ## install below PREFIX (/usr/local), staged in DESTDIR
	install -D -m 755 $(B)/esxlat $(DESTDIR)$(PREFIX)/bin/esxlat
	$I $(B)/esxlat.1 $(share)/man/man1/esxlat.1
	$I $(B)/esxlat-rules.5 $(share)/man/man5/esxlat-rules.5
	for f in rules/*.ini; do $I $$f $(share)/esxlat/$$f; done
	$I $(B)/esxlat.bash $(share)/bash-completion/completions/esxlat
	$I $(B)/esxlat.zsh $(share)/zsh/site-functions/_esxlat
	$I $(B)/esxlat.fish $(share)/fish/vendor_completions.d/esxlat.fish
uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/esxlat $(share)/man/man1/esxlat.1 $(share)/man/man5/esxlat-rules.5 \
	  $(share)/bash-completion/completions/esxlat $(share)/zsh/site-functions/_esxlat \
	  $(share)/fish/vendor_completions.d/esxlat.fish
	rm -rf $(share)/esxlat
clean: ## remove everything that was built
	rm -rf build
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

.PHONY: all demo check ready deps run-demo run-check objects lint run-lint format golden-update san fuzz \
  bench accuracy samples install uninstall clean help
.DELETE_ON_ERROR:
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
