#!/bin/sh
# Does tools/test_suite.sh run a failed test once more, and does tools/test_summary.sh report what ctest saw?
set -eu
tools=$(realpath "$(dirname "$0")/../../tools")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failed=0

cat >CMakeLists.txt <<'PROJECT'
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
enable_testing()
foreach(number RANGE 1 10)
  add_test(NAME quick_${number} COMMAND true)
endforeach()
add_test(NAME slow COMMAND sleep 1)
add_test(NAME lacking COMMAND sh -c "echo before; echo 'skipped: there is no <browser>'; exit 77")
add_test(NAME silent COMMAND sh -c "exit 77")
add_test(NAME partly COMMAND sh -c "echo 'skipped: no network, so one part is missing'")
add_test(NAME cases COMMAND printf "# missing: cgroups\n[  SKIPPED ] one\n[  SKIPPED ] 2 test(s), listed below:\n[  SKIPPED ] one\n")
add_test(NAME crowded COMMAND sh -c "mkdir first_time || exit 0; exit 1")
add_test(NAME broken COMMAND sh -c "! [ -e broken ]")
set_tests_properties(lacking silent PROPERTIES SKIP_RETURN_CODE 77)
PROJECT
cmake -S . -B build-small >/dev/null
sh "$tools/test_suite.sh" build-small 2 >log || { cat log; echo "a test that passes alone is not a failure"; failed=1; }
grep -q 'run once more, alone: crowded$' log || { cat log; echo "the second attempt is not announced"; failed=1; }
touch build-small/broken
! sh "$tools/test_suite.sh" build-small 2 -R broken >log || { cat log; echo "a test that fails twice must be a failure"; failed=1; }
! sh "$tools/test_suite.sh" build-small 2 -E 'quick|slow' >log || { cat log; echo "another test ran in its place"; failed=1; }
rm build-small/broken
echo 'add_test(NAME racing COMMAND sh -c "echo WARNING: ThreadSanitizer: data race; mkdir second_time || exit 0; exit 1")' >>CMakeLists.txt
cmake -S . -B build-racing >/dev/null
! sh "$tools/test_suite.sh" build-racing 2 -R racing >log || { cat log; echo "a race was tried again"; failed=1; }
rm -r build-small/first_time
sh "$tools/test_suite.sh" build-small 2 >log || { cat log; failed=1; }
mkdir build-checks
echo 1000 >build-checks/began
echo 1005 >build-small/began
touch -d @1007 build-checks/ended
touch -d @1900 build-small/junit.xml
sh "$tools/test_summary.sh" build-checks build-small >got

prints() { # prints PATTERN
    grep -Eq -e "$1" got && return
    echo "no line matches: $1"
    failed=1
}
prints '^900 seconds: checks 7, small 895 \(build [0-9]+, 17 tests [0-9]+\)$'
prints '^ +[1-9][0-9]*\.[0-9] s  small slow$'
prints '^failed beside other tests, passed alone: 1$'
prints '^  small crowded$'
prints '^skipped: 5$'
prints '^  small lacking: there is no <browser>$'
prints '^  small silent: it does not say why$'
prints '^  small partly: no network, so one part is missing$'
prints '^  small cases: 2 of its cases: missing: cgroups$'
[ "$(grep -c ' s  small ' got)" = 10 ] || prints 'ten slowest tests'
[ "$failed" = 0 ] || cat got
exit "$failed"
