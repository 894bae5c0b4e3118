# The one door to Plum; `make help` lists what is behind it. CMake does the building.

JOBS := $(shell nproc)
CC = gcc
PREFIX = /usr/local
FUZZ_SECONDS = 60
SUITE = bookworm
RUNS = a b c

# An outer make's flags must not reach into the builds and the tests: they have a -j of their own.
ALONE := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u BESIDE
NICE =

# $(call build,FOLDER,CMAKE OPTIONS,TARGET...)
build = $(ALONE) $(NICE) cmake -S . -B $(1) $(2) >/dev/null && \
        $(ALONE) $(NICE) cmake --build $(1) -j $(JOBS) $(if $(3),--target $(3))
# ONLY=REGEX: only tests with such names
only = $(if $(value ONLY),-R '$(value ONLY)')
# $(call ctest,FOLDER,CTEST OPTIONS)
ctest = $(ALONE) sh tools/test_suite.sh $(1) $(JOBS) $(2)
# $(call begin,FOLDER): for tools/test_summary.sh
begin = mkdir -p $(1) && rm -f $(1)/junit.xml && date +%s >$(1)/began

QUIET := -DCMAKE_RULE_MESSAGES=OFF -DCMAKE_TARGET_MESSAGES=OFF
STRICT := $(QUIET) -DPLUM_TESTS=ON -DPLUM_WERROR=ON
RELEASE := -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc
# Browsers run the engine of build-gcc only.
QUICK_WASM := -DPLUM_WASM_FLAGS=-O0
FUZZ := -DCMAKE_BUILD_TYPE=Debug '-DCMAKE_C_FLAGS_DEBUG=-O2 -g' -DCMAKE_C_COMPILER=clang
# The second compiler as well: its warnings, and what clang-tidy needs.
ASAN := -DCMAKE_BUILD_TYPE=Debug '-DCMAKE_C_FLAGS_DEBUG=-O1 -g1' -DCMAKE_C_COMPILER=clang \
        '-DPLUM_SANITIZE=address,undefined' $(QUICK_WASM)
TSAN := -DCMAKE_BUILD_TYPE=Debug '-DCMAKE_C_FLAGS_DEBUG=-O1 -g1' -DCMAKE_C_COMPILER=gcc -DPLUM_SANITIZE=thread $(QUICK_WASM)
# %c: the counters are in the mapped file, so that a process that is killed or ends by _exit is counted as well.
# -main-file-name: it is part of the names of static functions, and llvm-cov takes one function of each name.
COVERAGE := -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang $(QUICK_WASM) \
            '-DCMAKE_C_FLAGS_DEBUG=-O1 -g -Wno-unused-command-line-argument -fcoverage-mapping \
            -fprofile-instr-generate="$(CURDIR)/build-coverage/profiles/%c%m.profraw" -mllvm -runtime-counter-relocation' \
            '-DCMAKE_C_COMPILE_OBJECT=<CMAKE_C_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -Xclang -main-file-name -Xclang <OBJECT> \
            -o <OBJECT> -c <SOURCE>'

.DEFAULT_GOAL := build/plum
.PHONY: checks build/plum deps deps-test run test test-gcc test-asan test-tsan test-long suites built-asan built-tsan \
        test-fresh test-windows test-vm attacks bench lint lint-quick format fuzz coverage offline pictures reports install clean help fonts \
        uninstall dist test-dist deb fuzz-long agent-weights

build/plum: ## build build/plum, optimised; this is the default
	@command -v cmake >/dev/null || { echo "cmake is missing: run 'make deps' first" >&2; exit 3; }
	@$(call build,build,-DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=$(CC))

deps: ## install what building and running needs
	@sh tools/deps.sh run

deps-test: ## install what only the tests need, too
	@sh tools/deps.sh run test
	@sh tests/web/install.sh

run: deps build/plum ## install, build, and open the web arena
	@build/plum serve

offline: build/plum ## write build/plum.html: the arena in one file, without a server
	@sh tools/offline.sh web src/games docs build >build/plum.html
	@echo "wrote build/plum.html; open it in any browser"

test: ## install, build, and check everything that fits into minutes
	@$(MAKE) --no-print-directory -j 2 BESIDE=yes suites
	@sh tools/test_summary.sh build-checks build-gcc build-lint build-asan build-tsan
	@echo "make test: passed: static checks; the suite with gcc, under ASan and UBSan; threads under TSan"

# Two at a time: the suites one after the other, and beside them the other builds and lint, with the processor time that
# tests leave while they wait.
suites: test-gcc lint-quick test-asan test-tsan
ifdef BESIDE
test-gcc built-asan: checks
test-asan: test-gcc
built-tsan: lint-quick
test-tsan: test-asan
built-asan lint-quick built-tsan: NICE = nice -n 10
else
.NOTPARALLEL:
endif

checks: deps-test ## layers, style, names of games and sources of the reports, without the slow static analysis
	@$(call begin,build-checks)
	@sh tools/check_layers.sh
	@sh tools/check_style.sh
	@sh tools/check_games.sh
	@python3 tools/reports/make.py check
	@touch build-checks/ended

test-gcc: deps-test ## the test suite with gcc, optimised as released; ONLY=REGEX: some of it
	@$(call begin,build-gcc)
	@$(call build,build-gcc,$(STRICT) $(RELEASE))
	@PLUM_TEST_PERCENT=50 $(call ctest,build-gcc,-LE long $(only))

# An eighth of the random cases (with gcc it is half of them), and without what takes long there: `make test-long` has it.
ASAN_LONG := '^(tournament_(agents|kill|safety|shortage)|match_ponder|test_solve_low|test_build_without_namespaces|(test|attacks)_.*(as_user|cgroups).*)$$'
built-asan: deps-test
	@$(call build,build-asan,$(STRICT) $(ASAN))
test-asan: built-asan ## the suite under the address and undefined-behaviour sanitizers
	@$(call begin,build-asan)
	@PLUM_TEST_PERCENT=12 $(call ctest,build-asan,-LE 'long|once' -E $(ASAN_LONG) $(only))

TSAN_PERCENT = 8
built-tsan: deps-test
	@$(call build,build-tsan,$(QUIET) -DPLUM_TESTS=ON $(TSAN),plum test_parallel test_tt test_mailbox)
test-tsan: built-tsan ## what has threads under the thread sanitizer: searches, store, web server, judge
	@$(call begin,build-tsan)
	@PLUM_TEST_PERCENT=$(TSAN_PERCENT) $(call ctest,build-tsan,-R '^(test_parallel|test_tt|test_mailbox|threads)$$')

attacks: deps-test ## attacks on the sandbox, each with its control; as root also as an ordinary user
	@$(call build,build-gcc,$(STRICT) $(RELEASE),attacks rude)
	@sh tests/attacks.sh build-gcc/tests docs/sandbox.md

test-long: deps-test ## what does not fit into minutes but into an hour: deep counts, fuzzing
	@$(call build,build-gcc,$(STRICT) $(RELEASE))
	@$(call ctest,build-gcc,-L long)
	@$(MAKE) --no-print-directory built-asan
	@$(call ctest,build-asan,-LE 'long|once' -R $(ASAN_LONG))
	@$(MAKE) --no-print-directory test-tsan TSAN_PERCENT=100
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=180

test-fresh: ## make run and make test on bare Debians, as root; SUITE=trixie, RUNS="a b c"
	@sh tools/fresh/test.sh $(SUITE) $(RUNS)

# What is missing and cannot be installed is no failure: the test names it.
test-windows: build/plum ## programs for Windows under wine: kits and agents of one file in C and C++ play whole games
	@sh tools/deps.sh windows || true
	@$(ALONE) python3 -B tests/kit/test_windows.py build/plum || [ $$? = 77 ]

test-vm: ## the sandbox on Debian's kernel with cgroups v2, in an emulated machine, as root; SUITE=trixie, PLACES=, PARTS=
	@sh tools/deps.sh run test vm
	@$(call build,build-gcc,$(STRICT) $(RELEASE),plum attacks rude test_sandbox test_pace)
	@PLACES="$(PLACES)" PARTS="$(PARTS)" $(ALONE) sh tools/vm/test.sh $(SUITE) build-gcc build-vm

bench: ## measure speed
	@sh tools/deps.sh run bench
	@$(ALONE) sh bench/run.sh

lint: LINT =
lint-quick: LINT = quick
lint lint-quick: checks built-asan
	@$(call begin,build-lint)
	@$(NICE) sh tools/lint.sh build-asan build-lint $(LINT)
	@touch build-lint/ended
lint: ## build as for test-asan, and static analysis: layout, clang-tidy, cppcheck, shellcheck, manual page
lint-quick: ## the same without clang's path-sensitive analyzer; part of make test

format: deps-test ## lay out all C files
	@find src tests bench tools -name '*.[ch]' ! -path '*/kit/*' -exec clang-format -i {} +

fuzz: deps-test ## run every fuzz target, FUZZ_SECONDS=60 each
	@$(call build,build-fuzz,$(QUIET) $(FUZZ) -DPLUM_FUZZERS=ON)
	@sh tools/fuzz.sh build-fuzz $(FUZZ_SECONDS)

fuzz-long: ## the same, ten minutes each: 90 minutes on two cores
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=600

# Tests also run as other users: each program's file is made here or by its first test, and every user may write it.
coverage: deps-test ## which lines the tests reach, per layer; pages in build-coverage/
	@$(call build,build-coverage,$(QUIET) -DPLUM_TESTS=ON $(COVERAGE))
	@rm -rf build-coverage/profiles && mkdir -m 777 build-coverage/profiles
	@umask 0 && build-coverage/plum --version >/dev/null && PLUM_TEST_PERCENT=12 $(call ctest,build-coverage,-LE long)
	@sh tools/coverage.sh build-coverage

reports: build/plum ## write build/reports/*.pdf: how the engine plays each game, at most five pages each
	@sh tools/deps.sh reports
	@/usr/bin/python3 tools/reports/make.py build/plum build/reports

agent-weights: ## write the engine's weights as text, src/games/*/kit/weights.txt, for agents of one file
	@python3 tools/agent_weights.py

pictures: build/plum deps-test ## draw the boards and photograph the arena in docs/images
	@sh tools/pictures.sh build/plum draw
	@node tools/arena_pictures.mjs build/plum

fonts: ## make the fonts of the pages, web/fonts, from Debian's
	@sh tools/deps.sh fonts
	@sh tools/fonts.sh

install: build/plum ## install program, manual page and completions; PREFIX, DESTDIR
	@sh tools/install.sh build/plum "$(DESTDIR)$(PREFIX)"

uninstall: ## remove what make install put there; the same PREFIX, DESTDIR
	@sh tools/install.sh --remove "$(DESTDIR)$(PREFIX)"

dist: ## write build/plum-VERSION.tar.gz: sources that build without clang, npm and a network
	@$(ALONE) sh tools/dist.sh "build/plum-$$(cat VERSION).tar.gz"

test-dist: ## make that archive twice, compare, and build it on a bare Debian without a network; as root
	@$(ALONE) sh tools/fresh/test_dist.sh $(SUITE)

deb: build/plum ## write build/plum-arena_VERSION_ARCHITECTURE.deb; as root also try it on a bare Debian
	@sh tools/deps.sh deb
	@sh tools/deb.sh build/plum build

clean: ## remove what was built
	rm -rf build build-asan build-bench build-checks build-coverage build-fuzz build-gcc build-lint build-tsan build-vm

help: ## this list
	@awk -F ':[^#]*## ' '/^[a-z\/-]+:.*## / { sub("build/plum", "", $$1); \
	    printf "  make %-13s %s\n", $$1, $$2 }' Makefile
