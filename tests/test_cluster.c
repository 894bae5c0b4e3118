/* The messages between a tournament and its workers, the check of results, and worker files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cluster/cluster_codec.h"
#include "cluster/cluster_host.h"
#include "cluster/cluster_pack.h"
#include "cluster/machine_list.h"
#include "cluster/queue_url.h"
#include "cluster/result_check.h"
#include "cluster/worker_file.h"
#include "cluster/worker_list.h"
#include "tournament/match.h"

static struct cluster_key some_key(void)
{
    return (struct cluster_key){
        .stamp = UINT64_C(0x123456789abcdef0),
        .work = {.pairing = 7, .round = 2, .team = {3, 9}, .first_game = 14, .from = 0, .to = 1},
        .attempts = {2},
    };
}

static struct cluster_terms some_terms(void)
{
    return (struct cluster_terms){
        .game = "othello",
        .event = "Class of 2026",
        .date = "2026-01-31",
        .rules.judge.limit_ns = 5000000000,
        .rules.judge.grace_ns = 250000000,
        .rules.judge.startup_ns = 1,
        .has_programs = true,
        .rules.sandbox = SANDBOX_STRICT,
        .rules.memory_bytes = 1 << 30,
        .lease_ms = 30000,
    };
}

static struct cluster_job some_job(void)
{
    struct cluster_job job = {
        .key = some_key(),
        .seed = 42,
        .round = "3",
        .players = {{.can_play = true, .name = "Frösche", .spec = "random:seed=1"},
                    {.name = "absent", .absence = {"its source could not be built"}}},
    };
    memset(job.players[0].program, 'a', CLUSTER_HASH_BYTES - 1);
    return job;
}

static void a_job_survives_the_way(void **state)
{
    (void)state;
    struct cluster_job job = some_job();
    struct cluster_job again;
    struct cluster_bytes bytes;
    struct note why;
    snprintf(job.start, sizeof job.start, "%s",
             "#......#/......../...X..../......../......../......../......../#......# w");
    assert_int_equal(cluster_write_job(&job, &bytes), ERR_NONE);
    assert_int_equal(cluster_read_job(bytes.data, bytes.count, &again, &why), ERR_NONE);
    assert_true(cluster_key_equal(&job.key, &again.key));
    assert_string_equal(again.players[0].name, "Frösche");
    assert_string_equal(again.players[0].program, job.players[0].program);
    assert_string_equal(again.players[1].absence.text, job.players[1].absence.text);
    assert_string_equal(again.start, job.start);
    assert_int_equal(again.seed, 42);
    for (size_t i = 0; i < bytes.count; i++) { /* no part of it is a message */
        assert_int_equal(cluster_read_job(bytes.data, i, &again, &why), ERR_INPUT);
    }
    bytes.data[0]++; /* another format */
    assert_int_equal(cluster_read_job(bytes.data, bytes.count, &again, &why), ERR_INPUT);
    free(bytes.data);
}

static void a_job_has_one_name_whatever_machine_it_avoids(void **state)
{
    (void)state;
    struct cluster_job job = some_job();
    char name[CLUSTER_NAME_BYTES];
    char other[CLUSTER_NAME_BYTES];
    cluster_job_name(&job, name);
    snprintf(job.avoid, sizeof job.avoid, "lab-7");
    cluster_job_name(&job, other);
    assert_string_equal(name, other);
    job.players[0].program[0] = 'b'; /* it was built again */
    cluster_job_name(&job, other);
    assert_string_not_equal(name, other);
    job = some_job();
    job.key.attempts[0]++;
    cluster_job_name(&job, other);
    assert_string_not_equal(name, other);
}

static void a_welcome_survives_the_way(void **state)
{
    (void)state;
    struct cluster_welcome welcome = {.conditions = 7, .terms = some_terms()};
    struct cluster_welcome again;
    struct cluster_bytes bytes;
    struct note why;
    assert_int_equal(cluster_write_welcome(&welcome, &bytes), ERR_NONE);
    assert_int_equal(cluster_read_welcome(bytes.data, bytes.count, &again, &why), ERR_NONE);
    assert_false(again.is_refused);
    assert_int_equal(again.conditions, 7);
    assert_int_equal(again.terms.rules.judge.limit_ns, welcome.terms.rules.judge.limit_ns);
    assert_int_equal(again.terms.rules.sandbox, SANDBOX_STRICT);
    free(bytes.data);
}

static void plies_survive_the_way(void **state)
{
    (void)state;
    static struct cluster_plies plies;
    static struct cluster_plies again;
    struct cluster_bytes bytes;
    struct note why;
    plies = (struct cluster_plies){.worker = 5, .key = some_key(), .black = 1, .first = 7};
    for (int i = 0; i < CLUSTER_MAX_PLIES; i++) {
        plies.plies[plies.count++] =
            (struct cluster_ply){.move = "23", .has_time = true, .time_ns = i};
    }
    assert_int_equal(cluster_write_plies(&plies, &bytes), ERR_NONE);
    assert_int_equal(cluster_read_plies(bytes.data, bytes.count, &again, &why), ERR_NONE);
    assert_true(cluster_key_equal(&plies.key, &again.key));
    assert_int_equal(again.count, CLUSTER_MAX_PLIES);
    assert_int_equal(again.black, 1);
    assert_int_equal(again.first, 7);
    assert_string_equal(again.plies[31].move, "23");
    assert_int_equal(again.plies[31].time_ns, 31);
    free(bytes.data);
    plies.count++;
    assert_int_not_equal(cluster_write_plies(&plies, &bytes), ERR_NONE);
}

static void every_part_of_a_key_counts(void **state)
{
    (void)state;
    struct cluster_key one = some_key();
    struct cluster_key other = one;
    assert_true(cluster_key_equal(&one, &other));
    other.attempts[0]++;
    assert_false(cluster_key_equal(&one, &other));
    other = one;
    other.stamp++;
    assert_false(cluster_key_equal(&one, &other));
    other = one;
    other.work.phase = PHASE_QUALIFICATION;
    assert_false(cluster_key_equal(&one, &other));
    other = one;
    other.work.team[1]++;
    assert_false(cluster_key_equal(&one, &other));
}

static void conditions_are_the_same_whatever_the_date_and_the_lease(void **state)
{
    (void)state;
    struct cluster_terms one = some_terms();
    struct cluster_terms other = one;
    uint64_t hash = cluster_conditions(&one, "1.2 abc");
    snprintf(other.date, sizeof other.date, "2026-02-01");
    other.lease_ms = 1000;
    assert_true(hash == cluster_conditions(&other, "1.2 abc"));
    assert_true(hash != cluster_conditions(&one, "1.2 abd"));
    other.rules.judge.limit_ns++;
    assert_true(hash != cluster_conditions(&other, "1.2 abc"));
    other = one;
    snprintf(other.game, sizeof other.game, "reversi");
    assert_true(hash != cluster_conditions(&other, "1.2 abc"));
}

/* It is printed on the terminal of the person who runs the tournament. */
static void a_name_of_a_machine_is_printable(void **state)
{
    (void)state;
    struct cluster_hello hello = {.machine = "lab-7", .worker = 1, .concurrency = 1};
    struct cluster_hello again;
    struct cluster_bytes bytes;
    struct note why;
    assert_int_equal(cluster_write_hello(&hello, &bytes), ERR_NONE);
    assert_int_equal(cluster_read_hello(bytes.data, bytes.count, &again, &why), ERR_NONE);
    assert_string_equal(again.machine, "lab-7");
    char *name = memmem(bytes.data, bytes.count, "lab-7", 5);
    assert_non_null(name);
    name[3] = '\33';
    assert_int_equal(cluster_read_hello(bytes.data, bytes.count, &again, &why), ERR_INPUT);
    free(bytes.data);
    hello.machine[0] = '\0';
    assert_int_not_equal(cluster_write_hello(&hello, &bytes), ERR_NONE);
}

static struct cluster_hello hello_of(uint64_t worker, int concurrency)
{
    return (struct cluster_hello){.machine = "lab-7", .worker = worker, .concurrency = concurrency};
}

static void a_machine_that_is_too_slow_is_refused(void **state)
{
    (void)state;
    const struct cluster_speed own = {.processor = 1000000, .wall = 900000};
    struct cluster_hello hello = hello_of(1, 1);
    struct note why;
    hello.speed.processor = 499999;
    assert_int_equal(cluster_host_compare_speed(&own, 50, &hello, &why), ERR_NONE);
    hello.is_ready = true;
    assert_int_equal(cluster_host_compare_speed(&own, 50, &hello, &why), ERR_NEGATIVE);
    assert_non_null(strstr(why.text, "49 %"));
    assert_int_equal(cluster_host_compare_speed(&own, 0, &hello, &why), ERR_NONE);
    hello.speed.processor = 500000;
    assert_int_equal(cluster_host_compare_speed(&own, 50, &hello, &why), ERR_NONE);
    assert_int_equal(cluster_host_percent(&own, &hello.speed), 50);
}

static void a_machine_that_finishes_no_job_is_set_aside(void **state)
{
    (void)state;
    struct machine_list machines = {0};
    assert_true(machine_list_add(&machines, "pc1"));
    assert_true(machine_list_add(&machines, "pc2"));
    for (int i = 1; i < MACHINE_LIST_MOST_UNFINISHED; i++) {
        assert_false(machine_list_note_unfinished(&machines, "pc1"));
        assert_false(machine_list_note_unfinished(&machines, "pc2"));
    }
    machine_list_note_result(&machines, "pc2");
    assert_true(machine_list_note_unfinished(&machines, "pc1"));
    assert_false(machine_list_note_unfinished(&machines, "pc1")); /* it is reported once */
    assert_false(machine_list_note_unfinished(&machines, "pc2"));
    assert_true(machine_list_is_set_aside(&machines, "pc1"));
    assert_false(machine_list_is_set_aside(&machines, "pc2"));

    /* A large machine that loses power has not finished a job in each of its slots. */
    machine_list_note_slots(&machines, "big", 64);
    machine_list_note_slots(&machines, "big", 32); /* another worker of it */
    for (int i = 1; i < 64 * MACHINE_LIST_MOST_UNFINISHED; i++) {
        assert_false(machine_list_note_unfinished(&machines, "big"));
    }
    assert_false(machine_list_is_set_aside(&machines, "big"));
    assert_true(machine_list_note_unfinished(&machines, "big"));
    assert_true(machine_list_is_set_aside(&machines, "big"));
    machine_list_free(&machines);
}

static void the_number_of_machines_is_bounded(void **state)
{
    (void)state;
    struct machine_list machines = {0};
    char name[CLUSTER_WORD_BYTES];
    for (int i = 0; i < MACHINE_LIST_MAX + 10; i++) {
        snprintf(name, sizeof name, "pc%d", i);
        assert_int_equal(machine_list_add(&machines, name), i < MACHINE_LIST_MAX);
    }
    assert_true(machine_list_add(&machines, "pc7"));
    assert_int_equal(machines.count, MACHINE_LIST_MAX);
    machine_list_free(&machines);
}

static void a_silent_worker_does_not_count(void **state)
{
    (void)state;
    struct worker_list workers = {0};
    struct known_worker silent;
    struct cluster_hello one = hello_of(1, 2);
    struct cluster_hello other = hello_of(2, 5);
    int64_t later_ns = (WORKER_LIST_SILENT_MS + 1) * CLOCK_NS_PER_MS;
    assert_true(worker_list_note(&workers, &one, 0));
    assert_true(worker_list_note(&workers, &other, 0));
    assert_false(worker_list_note(&workers, &other, later_ns));
    assert_int_equal(worker_list_slots(&workers), 7);
    assert_true(worker_list_take_silent(&workers, later_ns, &silent));
    assert_int_equal(silent.id, 1);
    assert_false(worker_list_take_silent(&workers, later_ns, &silent));
    assert_int_equal(worker_list_slots(&workers), 5);
    worker_list_forget(&workers, 2);
    assert_int_equal(worker_list_slots(&workers), 0);
    worker_list_free(&workers);
}

static void a_list_of_files_cannot_leave_its_folder(void **state)
{
    (void)state;
    static const char *const bad[] = {"../x", "/etc/passwd", "a/../b", "a//b",
                                      "",     "a/",          ".",      "a/./b"};
    struct cluster_file file = {.path = "lib/net.bin", .bytes = 3, .is_executable = true};
    struct cluster_files files = {&file, 1};
    struct cluster_files again = {0};
    struct cluster_bytes bytes;
    struct note why;
    memset(file.hash, '0', CLUSTER_HASH_BYTES - 1);
    assert_int_equal(cluster_write_files(&files, &bytes), ERR_NONE);
    assert_int_equal(cluster_read_files(bytes.data, bytes.count, &again, &why), ERR_NONE);
    assert_string_equal(again.list[0].path, "lib/net.bin");
    cluster_files_free(&again);
    free(bytes.data);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(file.path, sizeof file.path, "%s", bad[i]);
        assert_int_not_equal(cluster_write_files(&files, &bytes), ERR_NONE);
    }
}

/* A game of Othello in which White resigned at once. */
static char *make_record(const char *seed, const char *result)
{
    char *text = NULL;
    assert_true(
        asprintf(&text,
                 "[Game \"othello\"]\n[Event \"Class of 2026\"]\n[Round \"3.15\"]\n"
                 "[Black \"Frösche\"]\n[White \"absent\"]\n[Result \"%s\"]\n"
                 "[Score \"3--3\"]\n[Reason \"resigned\"]\n[Seed \"%s\"]\n"
                 "[TimeLimit \"5.000\"]\n[Grace \"0.250\"]\n[Machine \"lab-7\"]\n\n1. b 23\n\n",
                 result, seed) > 0);
    return text;
}

static struct cluster_result some_result(const char *seed, const char *result)
{
    struct cluster_result out = {.key = some_key(), .machine = "lab-7"};
    out.games = calloc(1, sizeof *out.games);
    out.games[0] = (struct finished_game){
        .summary = {.colour = {SIDE_BLACK, SIDE_WHITE},
                    .outcome = OUTCOME_BLACK,
                    .score = {3, -3},
                    .reason = "resigned",
                    .is_forfeit = true,
                    .plies = 1},
        .again = {2, {"the machine was busy"}},
        .record = make_record(seed, result),
    };
    return out;
}

static void the_seed_of(const struct cluster_job *job, char out[32])
{
    snprintf(out, 32, "%llu", (unsigned long long)match_game_seed(job->seed, 14));
}

static void a_true_result_is_accepted(void **state)
{
    (void)state;
    struct cluster_job job = some_job();
    struct cluster_bytes bytes;
    struct cluster_result again;
    struct note why = {""};
    char seed[32];
    the_seed_of(&job, seed);
    struct cluster_result result = some_result(seed, "1-0");
    assert_int_equal(cluster_write_result(&result, &bytes), ERR_NONE);
    assert_int_equal(cluster_pack(&bytes), ERR_NONE);
    struct cluster_bytes unpacked;
    assert_int_equal(cluster_unpack(bytes.data, bytes.count, &unpacked, &why), ERR_NONE);
    assert_int_equal(cluster_read_result(unpacked.data, unpacked.count, &again, &why), ERR_NONE);
    const struct cluster_terms terms = some_terms();
    enum err err = result_check(cpu_best(), &terms, &job, &again, &why);
    assert_string_equal(why.text, "");
    assert_int_equal(err, ERR_NONE);
    assert_int_equal(again.games[0].again.count, 2);
    assert_string_equal(again.games[0].again.why.text, "the machine was busy");
    free(bytes.data);
    free(unpacked.data);
    cluster_result_free(&again);
    cluster_result_free(&result);
}

static void refuse(const struct cluster_job *job, struct cluster_result result)
{
    struct note why = {""};
    const struct cluster_terms terms = some_terms();
    assert_int_equal(result_check(cpu_best(), &terms, job, &result, &why), ERR_INPUT);
    assert_string_not_equal(why.text, "");
    cluster_result_free(&result);
}

/* Its record has other words than those that were written. */
static void refuse_edited(const struct cluster_job *job, const char *seed, const char *words,
                          const char *others)
{
    struct cluster_result result = some_result(seed, "1-0");
    char *record = result.games[0].record;
    char *at = strstr(record, words);
    char *edited = NULL;
    assert_non_null(at);
    assert_true(
        asprintf(&edited, "%.*s%s%s", (int)(at - record), record, others, at + strlen(words)) > 0);
    free(record);
    result.games[0].record = edited;
    refuse(job, result);
}

static void a_result_that_cannot_be_true_is_refused(void **state)
{
    (void)state;
    struct cluster_job job = some_job();
    char seed[32];
    the_seed_of(&job, seed);
    refuse(&job, some_result("1", "1-0"));  /* another seed */
    refuse(&job, some_result(seed, "0-1")); /* the record has another winner */
    struct cluster_result result = some_result(seed, "1-0");
    result.games[0].summary.plies = 2;
    refuse(&job, result);
    result = some_result(seed, "1-0");
    result.games[0].summary.colour[0] = SIDE_WHITE;
    result.games[0].summary.colour[1] = SIDE_BLACK;
    refuse(&job, result);
    result = some_result(seed, "1-0");
    memcpy(strstr(result.games[0].record, "b 23"), "b 11", 4); /* an illegal move */
    refuse(&job, result);
    result = some_result(seed, "1-0");
    result.games[0].summary.faults[1][FAULT_LATE] = 1; /* which is not in the list */
    refuse(&job, result);
    result = some_result(seed, "1-0");
    result.games[0].summary.reason[0] = '\0';
    refuse(&job, result);
    refuse_edited(&job, seed, "TimeLimit \"5.000", "TimeLimit \"9.000");
    refuse_edited(&job, seed, "Round \"3.15", "Round \"3.16");
    refuse_edited(&job, seed, "White \"absent", "White \"absenu");
    refuse_edited(&job, seed, "Machine \"lab-7", "Machine \"lab-8");
    refuse_edited(&job, seed, "[Machine \"lab-7\"]\n", "");
    refuse_edited(&job, seed, "1. b 23\n\n", "1. b 23\n"); /* the next one could not follow */
    refuse_edited(&job, seed, "[Game", " [Game");
    /* The position before Black's last move: the game would be short. */
    refuse_edited(
        &job, seed, "Event \"Class of 2026\"]\n",
        "Start \"......../......../......../...XO.../...OX.../......../......../........ b"
        "\"]\n");
    result = some_result(seed, "1-0");
    result.key.attempts[0] = 1; /* it was ordered to be played again since */
    refuse(&job, result);
    memcpy(job.start, "another", sizeof "another"); /* opening than that of the record */
    refuse(&job, some_result(seed, "1-0"));
}

static void results_with_other_moves_differ(void **state)
{
    (void)state;
    struct cluster_result one = some_result("1", "1-0");
    struct cluster_result other = some_result("1", "1-0");
    struct note why = {""};
    assert_int_equal(result_compare(&one, &other, &why), ERR_NONE);
    memcpy(strstr(other.games[0].record, "b 23"), "b 32", 4);
    assert_int_equal(result_compare(&one, &other, &why), ERR_NEGATIVE);
    assert_string_equal(why.text, "game 15: ply 1 is another move");
    memcpy(strstr(other.games[0].record, "b 32"), "b 23", 4);
    other.games[0].summary.outcome = OUTCOME_WHITE;
    assert_int_equal(result_compare(&one, &other, &why), ERR_NEGATIVE);
    cluster_result_free(&one);
    cluster_result_free(&other);
}

static void messages_of_any_length_survive_packing(void **state)
{
    (void)state;
    static const size_t lengths[] = {1, 1000, 65535, 65536, 1000000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct cluster_bytes bytes = {malloc(lengths[i]), lengths[i]};
        struct cluster_bytes again;
        struct note why;
        assert_non_null(bytes.data);
        memset(bytes.data, 'x', lengths[i]);
        assert_int_equal(cluster_pack(&bytes), ERR_NONE);
        assert_true(bytes.count < lengths[i] || lengths[i] < 65536);
        assert_int_equal(cluster_unpack(bytes.data, bytes.count, &again, &why), ERR_NONE);
        assert_int_equal(again.count, lengths[i]);
        assert_int_equal(again.data[lengths[i] - 1], 'x');
        free(bytes.data);
        free(again.data);
    }
}

static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    struct cluster_bytes out;
    struct note why;
    assert_int_equal(cluster_unpack("", 0, &out, &why), ERR_INPUT);
    assert_int_equal(cluster_unpack("\377\377\377\377abc", 7, &out, &why), ERR_INPUT);
    assert_int_equal(cluster_unpack("\4\0\0\0abc", 7, &out, &why), ERR_INPUT);
}

/* Of an authority that signs nothing. */
static const char certificate[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBdjCCARugAwIBAgIUG/lAzNPrNtqxINC7gF9fmSIOPE0wCgYIKoZIzj0EAwIw\n"
    "DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMTgwNDE1MTRaGA8yMTI2MTAyNTA0MTUx\n"
    "NFowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJbR\n"
    "kc+bRVB9juhTVf4b8WLT+lXJ7CQh7kZbHgzabtqB/3Z2DKy2jdg0+X+4kd6ZGBSz\n"
    "kHyo9Hxmgh+seyJuVUKjUzBRMB0GA1UdDgQWBBTp1LbrAZN8yz1cynRDqKztn9dN\n"
    "CDAfBgNVHSMEGDAWgBTp1LbrAZN8yz1cynRDqKztn9dNCDAPBgNVHRMBAf8EBTAD\n"
    "AQH/MAoGCCqGSM49BAMCA0kAMEYCIQCgWNSFS4azTfiVcsJm+eWDgGOMbva/KNBm\n"
    "EfUQ1oHw0gIhALzuzN99q+kecic3UVH2X3IgekSscBU220JSzUpRQ/sA\n"
    "-----END CERTIFICATE-----\n";

static struct queue_address some_address(void)
{
    struct queue_address address = {.url = "tls://lab.example:4222",
                                    .tournament = "0123456789abcdef",
                                    .user = "worker-1",
                                    .password = "secret"};
    snprintf(address.ca, sizeof address.ca, "%s", certificate);
    return address;
}

static void a_worker_file_is_read_as_it_was_written(void **state)
{
    (void)state;
    char path[] = "/tmp/plum-worker-file-XXXXXX";
    struct queue_address address = some_address();
    struct queue_address again = {.url = ""};
    struct note why;
    struct stat status;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(worker_file_write(path, &address, &why), ERR_NONE);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(worker_file_read(path, &again, &why), ERR_NONE);
    assert_string_equal(again.url, address.url);
    assert_string_equal(again.tournament, address.tournament);
    assert_string_equal(again.user, address.user);
    assert_string_equal(again.password, address.password);
    assert_string_equal(again.ca, address.ca);
    assert_true(worker_file_is_private(path));
    assert_int_equal(chmod(path, 0640), 0);
    assert_false(worker_file_is_private(path));
    unlink(path);
}

/* A file with the address, in which one value is replaced; NULL: its line is removed. */
static enum err read_changed(const char *key, const char *value, struct note *why)
{
    char path[] = "/tmp/plum-worker-file-XXXXXX";
    char line[4096];
    struct queue_address address = some_address();
    struct queue_address again;
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    assert_int_equal(worker_file_write(path, &address, why), ERR_NONE);
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    unlink(path);
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    while (fgets(line, sizeof line, from)) {
        if (strncmp(line, key, strlen(key)) != 0) {
            fputs(line, to);
        } else if (value) {
            fprintf(to, "%s = %s\n", key, value);
        }
    }
    fclose(from);
    fclose(to);
    enum err err = worker_file_read(path, &again, why);
    unlink(path);
    return err;
}

static void a_damaged_worker_file_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        const char *value;
        const char *sentence;
    } cases[] = {
        {"url", "lab.example", "line 3, url: 'lab.example' is not the address"},
        {"url", "tls://lab.example:99999", "line 3, url"},
        {"url", "tls://lab example:7586", "line 3, url"},
        {"tournament", "", "line 4, tournament"},
        {"user", "a b", "line 5, user"},
        {"user", "", "the user is missing"},
        {"password", "", "the password is missing"},
        {"password", NULL, "the line 'password = ...' is missing"},
        {"ca", NULL, "the line 'ca = ...' is missing"},
        {"password", "secret\nextra = 1", "line 7 does not belong"},
    };
    struct note why;
    assert_int_equal(read_changed("user", "worker-2", &why), ERR_NONE);
    assert_int_equal(read_changed("ca", "", &why), ERR_NONE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(read_changed(cases[i].key, cases[i].value, &why), ERR_INPUT);
        assert_non_null(strstr(why.text, cases[i].sentence));
    }
    if (!queue_check_build(&why)) { /* else nothing can read certificates */
        assert_int_equal(read_changed("ca", "MIIBcjCCARmgAwIBAgIU", &why), ERR_INPUT);
        assert_non_null(strstr(why.text, "line 7, ca: the certificate is damaged"));
    }
}

static void the_address_of_a_server_is_checked(void **state)
{
    (void)state;
    static const char *const good[] = {"nats://host:4222", "tls://host", "nats://me:secret@host:1",
                                       "tls://[::1]:4222", "tls://[::1]"};
    static const char *const bad[] = {"",           "host:4222",      "http://host:1",
                                      "nats://",    "nats://:4222",   "nats://host:",
                                      "nats://h:0", "nats://h:65536", "nats://h:1/x"};
    struct note why;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(queue_url_check(good[i], &why), ERR_NONE);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(queue_url_check(bad[i], &why), ERR_INPUT);
    }
    assert_int_equal(queue_url_check("nats://me:secret@host:x", &why), ERR_INPUT);
    assert_null(strstr(why.text, "secret")); /* it may be shown */
    assert_string_equal(queue_url_place("nats://me:secret@host:1"), "host:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_survives_the_way),
        cmocka_unit_test(a_job_has_one_name_whatever_machine_it_avoids),
        cmocka_unit_test(a_welcome_survives_the_way),
        cmocka_unit_test(plies_survive_the_way),
        cmocka_unit_test(every_part_of_a_key_counts),
        cmocka_unit_test(conditions_are_the_same_whatever_the_date_and_the_lease),
        cmocka_unit_test(a_name_of_a_machine_is_printable),
        cmocka_unit_test(a_machine_that_is_too_slow_is_refused),
        cmocka_unit_test(a_machine_that_finishes_no_job_is_set_aside),
        cmocka_unit_test(the_number_of_machines_is_bounded),
        cmocka_unit_test(a_silent_worker_does_not_count),
        cmocka_unit_test(a_list_of_files_cannot_leave_its_folder),
        cmocka_unit_test(a_true_result_is_accepted),
        cmocka_unit_test(a_result_that_cannot_be_true_is_refused),
        cmocka_unit_test(results_with_other_moves_differ),
        cmocka_unit_test(messages_of_any_length_survive_packing),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(a_worker_file_is_read_as_it_was_written),
        cmocka_unit_test(a_damaged_worker_file_is_refused_with_its_line),
        cmocka_unit_test(the_address_of_a_server_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
