# `make` alone lists the targets. All files that are built or downloaded are in .build/ and demo/.

SWIFT ?= swift
# Tests, benchmarks and the demo use nobody's settings file.
export TINTYPE_CONFIG := /dev/null
PREFIX ?= /usr/local

# Kernels and codecs are C. Debug builds imply clang's -O0, at which they are too slow for tests.
DEBUG_FLAGS := -Xcc -O2
# With Swift's libraries linked statically, the tool starts in half the time, and runs without a toolchain.
# Packages of one commit are equal wherever they are built, with the same Swift and the same versions of the dependencies,
# which the package's SBOM lists: C's __FILE__ has no path of this machine, and there is no hash of debugging information, which
# has paths. `withoutActuallyEscaping` puts the length of its file's path into the code, so it is not used.
# Foundation's languages, 30 MB, are left out: the linker takes slim_data.py's symbol in place of the library's.
SLIM_ICU := .build/icu/data.o
RELEASE := -c release --static-swift-stdlib -Xcc "-ffile-prefix-map=$(CURDIR)=tintype" -Xlinker --build-id=none \
	-Xlinker "$(CURDIR)/$(SLIM_ICU)" -Xlinker "--wrap=$$(scripts/icu/slim_data.py static $(SWIFT) $(SLIM_ICU))"
RELEASE_FLAGS := $(RELEASE) --product tintype
TINTYPE := .build/release/tintype

# The commit that `tintype --version` prints.
COMMIT = $(shell git describe --always --dirty --abbrev=12 --exclude '*' 2> /dev/null)
# Swift's compiler orders some instructions by the addresses of its own objects, so the system must not choose these at random.
# Some containers do not allow that. In one function of 900 instructions, addresses still depended on which C modules had been
# in the compiler's cache; it has become several.
FIXED_ADDRESSES := $(shell setarch -R true 2> /dev/null && echo setarch -R)
BUILD_RELEASE = TINTYPE_COMMIT=$(COMMIT) $(FIXED_ADDRESSES) $(SWIFT) build $(RELEASE_FLAGS)

# The bundle links libraries statically if possible, and has shared ones beside the tool. RPATH finds them;
# RUNPATH does not apply to the libraries that they need in turn.
STATIC := .build/bundle/static
# They only change how the tool is linked, so nothing is compiled again; the next release build links it anew.
BUNDLE_FLAGS := -Xlinker "$(CURDIR)/$(STATIC)/arc4random.o" \
	-Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker '$$ORIGIN/lib'

# PoCL (OpenCL on a CPU), as two devices of one kind: PoCL 3.1 mixes up the kernels of two kinds. Its cache is in .build/,
# so tests need no home directory and use no older cache.
POCL := POCL_DEVICES="pthread pthread" POCL_CACHE_DIR="$(CURDIR)/.build/pocl-cache"

# Test targets that run in processes of their own: these while nothing else runs, because their servers and clients wait for
# each other.
QUIET := DownloadTests GalleryTests S3Tests TintypeTests
# These beside all others: PoCL compiles one kernel at a time in a process, and CLITests wait for the tool, so that either alone
# leaves a core idle.
BESIDE := CodecsTests PhotosTests ComputeTests
# Suites of these in which the libraries of HEIC, TIFF and JPEG XL run in thousands of copies of the tests' process. They come first,
# in a process of their own that is small: one in which PoCL has compiled kernels has 500 MB to copy.
COPYING := ^(CodecsTests\.(HEIFTests|HEIFWritingTests|TIFFTests|JXLTests|JXLWritingTests|DamageTests)|PhotosTests\.(LayoutTests|ProfileMatrixTests))/
APART := $(QUIET) $(BESIDE) OperationsTests
# One test after the other: operations that wait hold threads of the pool that all tests need.
SEQUENTIAL := --no-parallel --filter OperationsTests
empty :=
ANY_APART := $(subst $(empty) ,|,$(APART))
# The tool that tests run: what the release build has made, as users get it, unless a source is newer. That of the debug build
# takes four times as long to start.
SOURCES_OF_TOOL := Makefile Package.swift $(wildcard Package.resolved) Sources Kernels scripts/icu
FIND_TOOL = find $(SOURCES_OF_TOOL) -newer $(TINTYPE) 2> /dev/null | grep -q . || ls $(TINTYPE) 2> /dev/null
# Looked for once, where it is needed.
TOOL ?= $(eval TOOL := $(shell $(FIND_TOOL)))$(TOOL)
TESTED_TOOL = $(or $(TOOL),.build/debug/tintype)
# A test that waits for ever ends its target, with status 124.
TEST_LIMIT := 20m
RUN_TESTS = $(POCL) $(if $(TOOL),TINTYPE_TEST_TOOL="$(abspath $(TOOL))") timeout --foreground --signal=INT --kill-after=10 $(TEST_LIMIT) $(SWIFT) test --skip-build --disable-xctest --ignore-lock $(DEBUG_FLAGS)

# Tests of the gallery's page that `make test` has time for; `make test-gallery` runs all.
PAGE_THEMES := arriving states broken saving

TSAN_FLAGS := --sanitize=thread --scratch-path .build/tsan
# In files, because the output of tests' child processes is lost.
TSAN_REPORTS := $(CURDIR)/.build/tsan/report
# The sanitizer reads the inner quotes: a path may have blanks.
TSAN_OPTIONS := die_after_fork=0:log_path='$(TSAN_REPORTS)':suppressions='$(CURDIR)/Tests/tsan-suppressions'
# Each word is a process.
TSAN_TARGETS := DownloadTests GalleryTests OperationsTests S3Tests \
	BatchesTests|DevicesTests|FilesTests|JournalsTests|PhotosTests|ResourcesTests

# Suites that compare the pixels of many photos. They take long under a sanitizer; `make test-asan` runs them all the same.
MANY_PIXELS := CodingConformanceTests|DeviceFuzzerTests|LayoutTests|PictureFileTests|ProfileMatrixTests|UprightOutputTests|planesBecomeTheRGBOfTheCPU

# Only what these tests need is compiled for a sanitizer: half of the package.
needed_by = TINTYPE_TARGETS="$(subst |, ,$(1))"

SANITIZED_BESIDE := .build/sanitized-tests-beside.log

# Runs the tests of the targets $(1), each word in a process of its own, with the environment $(2) and the options $(3), but not $(4):
# the quiet ones first, and OperationsTests, which mostly wait, beside those that are left.
define run_sanitized
(run() { $(call needed_by,$(1)) $(2) $(RUN_TESTS) $(3) --skip $(4) "$$@"; }; \
	for target in $(filter $(QUIET),$(1)); do run --filter "$$target" || exit; done; \
	$(if $(filter OperationsTests,$(1)),run $(SEQUENTIAL),:) > $(SANITIZED_BESIDE) 2>&1 & beside=$$!; rest=0; \
	for target in $(patsubst %,'%',$(filter-out $(QUIET) OperationsTests,$(1))); do run --filter "$$target" || rest=$$?; done; \
	wait $$beside; beside=$$?; cat $(SANITIZED_BESIDE); \
	exit $$((rest | beside)))
endef

# Installs the prerequisites of a target; the argument names it.
define set_up
@scripts/require-swift
@scripts/install-packages $(1)
endef

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: ## Install what is missing, build, and run all tests, with OpenCL on the CPU
	$(call set_up,build test gallery)
	$(SWIFT) build --build-tests $(DEBUG_FLAGS)
	@echo "Tests run the tool $(TESTED_TOOL)."
	for target in $(QUIET); do $(RUN_TESTS) --filter "^$$target\." || exit; done
	{ $(RUN_TESTS) --filter '$(COPYING)' && for target in $(BESIDE); do \
		$(RUN_TESTS) --filter "^$$target\." --skip '$(COPYING)' || exit; \
	done && scripts/test-gallery $(TESTED_TOOL) $(PAGE_THEMES); } > .build/tests-beside.log 2>&1 & beside=$$!; \
	$(RUN_TESTS) $(SEQUENTIAL) && $(RUN_TESTS) --skip '^($(ANY_APART))\.'; rest=$$?; \
	wait $$beside; beside=$$?; cat .build/tests-beside.log; \
	exit $$((rest | beside))

# Tests of code with threads: downloads, operations, sessions, batches, the journal. Skipped are one test that limits the size
# of files, because the sanitizer keeps its own memory in a large file; and suites in which libraries start threads in many copies
# of the process: the sanitizer does not support that, and one copy in hundreds waited for ever.
TSAN_SKIP := $(MANY_PIXELS)|HEIFTests|JXLTests|aDiskThatTakesHalfALineIsLeftWithWholeOnes

.PHONY: test-tsan
test-tsan: ## Run the tests of downloads, operations and batches under the thread sanitizer (builds everything anew)
	$(call set_up,build test)
	$(call needed_by,$(TSAN_TARGETS)) $(SWIFT) build --build-tests $(TSAN_FLAGS) $(DEBUG_FLAGS)
	rm -f "$(TSAN_REPORTS)"*
	$(call run_sanitized,$(TSAN_TARGETS),TSAN_OPTIONS="$(TSAN_OPTIONS)",$(TSAN_FLAGS),'$(TSAN_SKIP)') \
		|| { cat "$(TSAN_REPORTS)"* >&2 2> /dev/null; exit 1; }

ASAN_FLAGS := --sanitize=address --scratch-path .build/asan -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined
# LLVM in PoCL gives threads a stack for signals, which the sanitizer would take for its own and free.
ASAN_OPTIONS := use_sigaltstack=0:detect_leaks=0
ASAN_ENVIRONMENT = ASAN_OPTIONS=$(ASAN_OPTIONS) UBSAN_OPTIONS=print_stacktrace=1
# No test.
ASAN_SKIP := '^$$'
# With counters of coverage, so that `make fuzz-short` compiles little more.
BUILD_ASAN = $(call needed_by,$(1)) TINTYPE_FUZZING=1 $(SWIFT) build --build-tests $(ASAN_FLAGS) $(DEBUG_FLAGS)
ASAN_TARGETS := CodecsTests ComputeTests DownloadTests GalleryTests OperationsTests S3Tests \
	BatchesTests|BenchmarkingTests|CryptographyTests|DevicesTests|FilesTests|FiltersTests|ImagingTests|IsolatedRenderingTests|JournalsTests|KernelFilesTests|ListsTests|ManifestsTests|MetadataTests|PhotosTests|RenderingTests|ResourcesTests|StagesTests

.PHONY: test-asan
test-asan: ## Run the library's tests under the sanitizers of addresses and undefined behaviour (20 minutes)
	$(call set_up,build test)
	$(call BUILD_ASAN,$(ASAN_TARGETS))
	$(call run_sanitized,$(ASAN_TARGETS),$(ASAN_ENVIRONMENT),$(ASAN_FLAGS),$(ASAN_SKIP))

# What CI has time for: OpenCL, threads, files, metadata.
ASAN_SHORT := OperationsTests BatchesTests|DevicesTests|FilesTests|JournalsTests|KernelFilesTests|MetadataTests|PhotosTests

.PHONY: test-asan-short
test-asan-short: ## Run them without the tests of codecs, of each filter's pixels, and of many photos
	@$(MAKE) --no-print-directory test-asan ASAN_TARGETS="$(ASAN_SHORT)" ASAN_SKIP="'$(MANY_PIXELS)'"

.PHONY: test-crashes
test-crashes: TEST_LIMIT := 1h
test-crashes: ## Kill a batch, and two in one folder, 200 times at random moments; one clean run then finishes it
	$(call set_up,build test)
	$(SWIFT) build --build-tests $(DEBUG_FLAGS)
	TINTYPE_KILLS=200 $(RUN_TESTS) --filter aRunThatIsKilledAgainAndAgain

# Tests that mount small file systems need root.
DISK_TESTS := RandomFaultTests|FullDiskTests|StorageFaultTests|PlantedLinkTests|ChangingInputTests|NameTests|ClockTests|ProcessLimitTests

.PHONY: test-disks
test-disks: ## Let system calls fail at random in 600 runs, fill up disks, move clocks (as root)
	@[ "$$(id -u)" -eq 0 ] || { echo "error: make test-disks mounts file systems, which needs root." >&2; exit 1; }
	$(call set_up,build test)
	$(SWIFT) build --build-tests $(DEBUG_FLAGS)
	TINTYPE_IO_FAULTS=600 $(RUN_TESTS) --filter '$(DISK_TESTS)'

SOAK_PHOTOS ?= 20000
SOAK_SEED ?= 1

.PHONY: soak
soak: ## Filter 20,000 photos in one process while devices, downloads and photos fail (SOAK_PHOTOS, SOAK_SEED)
	$(call set_up,build test)
	$(SWIFT) build --build-tests $(DEBUG_FLAGS)
	$(POCL) .build/debug/soak $(SOAK_PHOTOS) $(SOAK_SEED)

# $GOLDEN, a regular expression, chooses runs. After a change on purpose, `make golden RENEW=--renew` records the hashes anew;
# `RENEW="--against TOOL"` compares with the tool of another commit, and tells which files and lines differ.
GOLDEN_SHORT := ^(text|mistake|names|list|runs|shards|plan|opencl, sepia$$|filter [a-z-]+$$|option [^,]+$$)

define compare_golden
$(call set_up,build test)
$(if $(TOOL),,$(SWIFT) build $(DEBUG_FLAGS) --product tintype)
@$(POCL) $(1) Tests/Golden/golden.py $(TESTED_TOOL) $(RENEW)
endef

.PHONY: golden
golden: ## Compare what the tool writes and prints, in 1,000 runs, with what is recorded (GOLDEN='^recipe' is a part)
	$(call compare_golden)

.PHONY: golden-short
golden-short: ## Compare it for each filter, each option, several runs into one folder, lists, texts
	$(call compare_golden,GOLDEN='$(GOLDEN_SHORT)')

DRIVER_FAULTS ?= all

.PHONY: test-drivers
test-drivers: TEST_LIMIT := 3h
test-drivers: ## Let every OpenCL call fail in seven ways, hang, and crash (DRIVER_FAULTS=crash is a part)
	$(call set_up,build test)
	$(SWIFT) build --build-tests $(DEBUG_FLAGS)
	TINTYPE_DRIVER_FAULTS=$(DRIVER_FAULTS) $(RUN_TESTS) --filter DriverSweepTests

BUILD_PROGRAMS = $(SWIFT) build $(DEBUG_FLAGS) --product kernel-programs
CHECK_GPU_CODE := scripts/gpu/check_code.py .build/debug/kernel-programs

.PHONY: gpu-code
gpu-code: ## Compile all OpenCL programs for NVIDIA GPUs, without one, and check the machine code
	$(call set_up,build gpu)
	$(BUILD_PROGRAMS)
	@$(CHECK_GPU_CODE) --all

# After a change on purpose, `make gpu-code-short RENEW=--renew` records registers and instructions anew.
.PHONY: gpu-code-short
gpu-code-short: ## Check a part of them, and that they need no more registers and instructions than recorded
	$(call set_up,build gpu)
	$(BUILD_PROGRAMS)
	@$(CHECK_GPU_CODE) $(RENEW)

# DRIVERS names some of them, such as `pocl rusticl`.
.PHONY: test-conformance
test-conformance: ## Compare the bytes of all OpenCL drivers that need no GPU with the CPU's (PoCL, Intel, Mesa, Oclgrind)
	$(call set_up,build drivers)
	$(BUILD_RELEASE)
	@scripts/test-conformance $(TINTYPE) $(DRIVERS)

ARM_PHOTOS := docs/images/noir-before.jpg $(addprefix Tests/CodecsTests/Fixtures/,$(addsuffix .jpg, \
	grey restart size-17x33 ycbcr-1x1 ycbcr-1x2 ycbcr-2x1 ycbcr-2x2 ycbcr-4x1 ycbcr-4x2))

.PHONY: test-arm
test-arm: ARM_PHOTOS += $(filter-out $(ARM_PHOTOS),$(wildcard docs/images/*.jpg))
test-arm: ## Compile the code in C for aarch64, and compare its bytes under QEMU with this machine's (no test on hardware)
	$(call set_up,arm)
	@scripts/test-arm $(ARM_PHOTOS)

.PHONY: test-arm-short
test-arm-short: ## Compare them for one photo of 600 x 400, and small ones of each layout (half a minute)
	$(call set_up,arm)
	@scripts/test-arm $(ARM_PHOTOS)

# libFuzzer goes on from the inputs that earlier runs kept in .build/fuzz.
FUZZ_SECONDS ?= 1800

.PHONY: fuzz
fuzz: ## Fuzz the JPEG codec and the parsers of all that comes from outside (1 hour; FUZZ_SECONDS is half of it)
	$(call set_up,build)
	@scripts/fuzz $(FUZZ_SECONDS)
	@scripts/fuzz-parsers $$(($(FUZZ_SECONDS) / 15))

# FUZZ_OPTIONS, such as `--seed 2`, are DeviceFuzzer's. A kernel that leaves its memory ends it by SIGSEGV; then
# .build/fuzz/device/last.jpg is the photo.
FUZZ_DEVICE = OPENCL_LAYERS="$(CURDIR)/$(1)/libOpenCLFaults.so" OPENCL_GUARDS=1 $(POCL) $(1)/DeviceFuzzer

.PHONY: fuzz-device
fuzz-device: ## Fuzz the JPEG codec on an OpenCL device, here the CPU (half an hour; FUZZ_SECONDS)
	$(call set_up,build test)
	$(SWIFT) build $(DEBUG_FLAGS) --product OpenCLFaults
	$(SWIFT) build $(DEBUG_FLAGS) --product DeviceFuzzer
	@$(call FUZZ_DEVICE,.build/debug) $(FUZZ_SECONDS) $(FUZZ_OPTIONS)

.PHONY: fuzz-short
fuzz-short: ## Fuzz the JPEG codec for half a minute, and for 15 seconds on OpenCL, each parser for three seconds
	$(call set_up,build test)
	$(call BUILD_ASAN,ParserFuzzing|DeviceFuzzer|OpenCLFaults)
	@scripts/fuzz 30
	@ASAN_OPTIONS=$(ASAN_OPTIONS) $(call FUZZ_DEVICE,.build/asan/debug) 15
	@FUZZ_LIBRARY=.build/asan/debug scripts/fuzz-parsers 3

.PHONY: test-gallery
test-gallery: ## Test the gallery's page in Chromium, its speed and memory too (6 minutes)
	$(call set_up,build gallery)
	$(BUILD_RELEASE)
	@scripts/test-gallery $(TINTYPE) $(THEMES)

.PHONY: test-firefox
test-firefox: ## Test the gallery's page in Firefox (1 minute)
	$(call set_up,build gallery_firefox)
	$(BUILD_RELEASE)
	@scripts/test-gallery --firefox $(TINTYPE)

# CLUSTER_TESTS names tests, such as `parallel kubernetes`. Where no network namespaces are permitted, --without-namespaces
# among them leaves out the node that is cut off.
.PHONY: test-cluster
test-cluster: ## Run batches on a private Slurm, kill its parts; test other schedulers' files, and object stores (as root)
	$(call set_up,build cluster stores)
	$(BUILD_RELEASE)
	@scripts/test-cluster $(TINTYPE) $(CLUSTER_TESTS)

.PHONY: test-cluster-short
test-cluster-short: ## Run one small batch on a private Slurm and kill a task (as root)
	$(call set_up,build cluster)
	$(BUILD_RELEASE)
	@scripts/test-cluster $(TINTYPE) slurm-short

.PHONY: demo
demo: ## Install what is missing, filter real photos, and make the page demo/index.html
	$(call set_up,build demo)
	$(BUILD_RELEASE)
	@scripts/demo/make_demo.py $(TINTYPE) demo

.PHONY: bench
bench: ## Compare the tool's speed with its floor, libjpeg-turbo alone (Benchmarks/results/)
	$(call set_up,build bench)
	$(BUILD_RELEASE)
	@Benchmarks/bench $(TINTYPE)

.PHONY: bench-batch
bench-batch: ## Measure what a batch costs beside its photos (Benchmarks/results/)
	$(call set_up,build bench)
	$(BUILD_RELEASE)
	TINTYPE_COMMIT=$(COMMIT) $(SWIFT) build $(RELEASE) --product batch-loop
	@Benchmarks/bench-batch $(TINTYPE) .build/release/batch-loop

.PHONY: bench-host
bench-host: ## Measure what the host does for a photo that a GPU codes, with a device that answers at once (printed)
	$(call set_up,build test bench)
	$(BUILD_RELEASE)
	@$(POCL) Benchmarks/bench-host $(TINTYPE)

.PHONY: peers
peers: ## Compare the tool's speed with other image libraries, which it installs under .build/ (15 minutes)
	$(call set_up,build bench peers)
	$(BUILD_RELEASE)
	@Benchmarks/peers/install
	@Benchmarks/bench-peers $(TINTYPE) $(PEERS)

.PHONY: bench-formats
bench-formats: ## Compare the tool's speed with other image libraries where photos are PNGs or WebPs (15 minutes)
	$(call set_up,build bench peers)
	$(BUILD_RELEASE)
	@Benchmarks/peers/install
	@Benchmarks/bench-formats $(TINTYPE) $(PEERS)

.PHONY: roofline
roofline: ## Compute what an H100 could reach with the kernels (Benchmarks/roofline.md)
	$(call set_up,build test bench gpu)
	$(BUILD_RELEASE)
	@Benchmarks/roofline/roofline.py $(TINTYPE)

.PHONY: microbench
microbench: ## Time the hot parts one by one; Benchmarks/README.md tells how to compare two commits
	$(call set_up,build)
	$(SWIFT) package --package-path Benchmarks/micro --scratch-path .build/micro \
		--allow-writing-to-package-directory benchmark $(MICRO)

# A package outside compiles the library by the same commands as this one. In the same folder it finds all of it compiled, and so
# does this package afterwards.
BUILD_OUTSIDE = $(SWIFT) build --package-path $(1) --scratch-path .build $(DEBUG_FLAGS)

.PHONY: build-microbench
build-microbench: ## Compile these benchmarks, and do not run them
	$(call set_up,build)
	$(call BUILD_OUTSIDE,Benchmarks/micro)

# The files in C and OpenCL C.
# BLAKE3 is laid out as its authors have it.
C_FILES = $(shell find Benchmarks Examples Kernels Sources Tests packaging scripts -path Sources/CBLAKE3 -prune -o -name '*.[ch]' -print -o -name '*.cl' -print)

.PHONY: examples
examples: ## Build the programs of Examples/, a package outside that uses the library, and check what it expects of it
	$(call set_up,build test)
	$(call BUILD_OUTSIDE,Examples)
	$(POCL) .build/debug/own-filter
	$(POCL) .build/debug/library-checks

.PHONY: docs
docs: ## Make the library's documentation (.build/docs/html), and check the tool's reference pages
	$(call set_up,build docs)
	$(SWIFT) build --build-tests $(DEBUG_FLAGS)
	@scripts/docs .build/docs/html
	@scripts/reference --check .build/debug/tintype

.PHONY: reference
reference: ## Write the pages of docs/reference that the tool knows: filters, flags, recipe keys, exit codes
	$(call set_up,build docs)
	$(SWIFT) build $(DEBUG_FLAGS) --product tintype
	@scripts/reference .build/debug/tintype

.PHONY: serve-docs
serve-docs: docs ## Serve the documentation on this machine, until Ctrl-C
	@echo "http://127.0.0.1:8000/documentation/tintype"
	@python3 -m http.server --bind 127.0.0.1 --directory .build/docs/html 8000

.PHONY: lint
lint: ## Check how the code is written
	$(call set_up,lint)
	clang-format --dry-run --Werror $(C_FILES)
	@scripts/ruff check --quiet
	@scripts/ruff format --check --quiet
	@Benchmarks/results.py --check Benchmarks/results/*.json
	@scripts/check-imports
	@scripts/check-links
	@scripts/check-words
	@scripts/changelog check
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Examples Package.swift

.PHONY: format
format: ## Lay out the code as .swift-format, .clang-format and ruff.toml say
	$(call set_up,lint)
	clang-format -i $(C_FILES)
	@scripts/ruff format --quiet
	$(SWIFT) format --in-place --recursive --parallel Sources Tests Examples Package.swift

.PHONY: install
install: ## Install the tool, its man page and completions below PREFIX (PREFIX=/usr/local)
	$(call set_up,build install)
	$(BUILD_RELEASE)
	@DESTDIR="$(DESTDIR)" packaging/install $(TINTYPE) "$(PREFIX)"

.PHONY: deb
deb: ## Make a Debian package, which needs no Swift (.build/deb/)
	$(call set_up,build install deb)
	$(BUILD_RELEASE)
	@packaging/make_deb $(TINTYPE)

.PHONY: deb-test
deb-test: deb ## Check the Debian package, and install, use and remove it in a fresh Debian 12 (as root)
	$(call set_up,deb_test)
	lintian --allow-root --fail-on error,warning \
		--suppress-tags-from-file packaging/lintian-suppressed .build/deb/*.deb
	@packaging/test_deb .build/deb/*.deb

.PHONY: deb-reproducible
deb-reproducible: deb ## Make the package of this commit again in another folder, and compare the two byte by byte
	@packaging/test_reproducible .build/deb/*.deb

.PHONY: deb-reproducible-short
deb-reproducible-short: deb ## Make the package again in another folder, from the same tool, and compare the two
	@packaging/test_reproducible .build/deb/*.deb $(TINTYPE)

.PHONY: tarball
tarball: ## Pack the tool for any Linux with glibc 2.31 or later (.build/tarball/)
	$(call set_up,build install tarball)
	$(BUILD_RELEASE)
	@packaging/make_tarball

.PHONY: tarball-test
tarball-test: tarball ## Use the tarball in a fresh Debian 11 and 12, and compare its bytes with the tool's (as root)
	$(call set_up,tarball_test)
	@packaging/test_tarball $(TINTYPE) .build/tarball/*.tar.xz

# SKIP_GATE=1 leaves out that `.ci/run` has passed.
.PHONY: release-check
release-check: ## Do all of `make release` but the tag (VERSION=0.2.0, SKIP_GATE=1)
	@SKIP_GATE="$(SKIP_GATE)" packaging/release check "$(VERSION)" > /dev/null
	@$(MAKE) --no-print-directory deb-reproducible
	@$(MAKE) --no-print-directory tarball
	@packaging/release collect "$(VERSION)"

.PHONY: release
release: override SKIP_GATE :=
release: release-check ## Make the files of VERSION (.build/release-files/) from a commit that .ci/run passed, and tag it
	@packaging/release tag "$(VERSION)"

.PHONY: release-test
release-test: ## Test in a scratch clone what `make release` refuses, and that it tags the rest (seconds)
	$(call set_up,deb)
	@packaging/test_release

.PHONY: bundle
bundle: ## Pack the tool and its tests for a machine without Swift (.build/bundle/, under 40 MiB)
	$(call set_up,build bench bundle)
	@scripts/bundle/link_static $(STATIC)
	PKG_CONFIG_PATH="$(CURDIR)/$(STATIC)" $(BUILD_RELEASE) $(BUNDLE_FLAGS)
	@scripts/bundle/make_bundle $(TINTYPE) $(STATIC)

.PHONY: bundle-test
bundle-test: bundle ## Unpack the bundle elsewhere and run it with OpenCL on the CPU, without Swift in sight
	$(call set_up,test)
	@scripts/bundle/test_bundle

.PHONY: clean
clean: ## Remove everything that was built, downloaded or filtered
	rm -rf .build demo
