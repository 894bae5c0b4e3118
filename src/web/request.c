#include "web/request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/number.h"
#include "web/guard.h"

static const char api_prefix[] = "/api/v1/";
static const char no_such_page[] = "there is no such page; the first one is /";
static const char longer_than_allowed[] = "the text is longer than a megabyte";

enum stage { STAGE_NEW, STAGE_BODY, STAGE_THINKING };

struct request {
    struct arena *arena;
    struct MHD_Connection *connection;
    struct deadline_clock *clock;
    enum stage stage;
    char *body;
    size_t body_bytes;
    struct thinker_job job;
    enum thinker_reply reply; /* to the job */
    bool must_close;
    bool is_held_post;
};

struct deadline_clock *request_clock(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

struct request *request_make(struct arena *arena, struct MHD_Connection *connection)
{
    struct request *request = calloc(1, sizeof *request);
    if (request) {
        request->arena = arena;
        request->connection = connection;
        request->clock = request_clock(connection);
    }
    return request;
}

void request_free(struct request *request)
{
    if (request) {
        request->arena->post_count -= request->is_held_post;
        free(request->job.text);
        free(request->body);
        free(request);
    }
}

/* --- Answers. --- */

/* Takes `text`, which came from malloc. */
static enum MHD_Result send_text(struct request *request, unsigned status, const char *type,
                                 char *text, size_t size)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(text);
        return MHD_NO;
    }
    page_add_headers(response);
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        MHD_add_response_header(response, "Allow", "GET, HEAD, POST");
    }
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE || status == MHD_HTTP_TOO_MANY_REQUESTS) {
        MHD_add_response_header(response, "Retry-After", "2");
    }
    if (request->must_close) {
        MHD_add_response_header(response, "Connection", "close");
    }
    enum MHD_Result result = MHD_queue_response(request->connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct request *request, unsigned status, const char *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return MHD_NO;
    }
    answer_refusal(out, why);
    fclose(out);
    return send_text(request, status, "application/json", text, size);
}

static unsigned status_of(enum err err)
{
    switch (err) {
    case ERR_NONE:
        return MHD_HTTP_OK;
    case ERR_INPUT:
        return MHD_HTTP_BAD_REQUEST;
    case ERR_NEGATIVE:
        return MHD_HTTP_UNPROCESSABLE_CONTENT;
    default:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    }
}

static const char *header(const struct request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* --- Who is asking. --- */

static uint64_t visitor_of(const struct request *request)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!info) {
        return 0;
    }
    if (info->client_addr->sa_family == AF_INET) {
        struct sockaddr_in address;
        memcpy(&address, info->client_addr, sizeof address);
        return hash_word(address.sin_addr.s_addr);
    }
    /* A household has a whole network of the second half's addresses. */
    struct sockaddr_in6 address;
    uint64_t network = 0;
    memcpy(&address, info->client_addr, sizeof address);
    memcpy(&network, &address.sin6_addr, sizeof network);
    return hash_pair(network, AF_INET6);
}

/* --- Questions. --- */

struct field_reader {
    struct question *question;
    bool is_bad;
};

static enum MHD_Result read_field(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    (void)kind;
    struct field_reader *reader = context;
    reader->is_bad = reader->is_bad || !question_add(reader->question, name, value ? value : "");
    return MHD_YES;
}

static bool read_question(struct request *request, struct question *out)
{
    struct field_reader reader = {.question = out};
    MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, read_field, &reader);
    if (request->body) {
        reader.is_bad = reader.is_bad || !question_add(out, "text", request->body);
    }
    return !reader.is_bad;
}

static enum MHD_Result answer_now(struct request *request, const struct answer *answer,
                                  const struct question *question)
{
    struct note why = {""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return MHD_NO;
    }
    enum err err = answer->write(&request->arena->answerer, question, out, &why);
    fclose(out);
    if (err) {
        free(text);
        return refuse(request, status_of(err), why.text);
    }
    return send_text(request, MHD_HTTP_OK, answer->type, text, size);
}

static void wake(void *owner)
{
    struct request *request = owner;
    MHD_resume_connection(request->connection);
}

static enum MHD_Result answer_later(struct request *request, const struct answer *answer,
                                    const struct question *question)
{
    request->stage = STAGE_THINKING;
    request->job = (struct thinker_job){.visitor = visitor_of(request),
                                        .answer = answer,
                                        .question = *question,
                                        .on_done = wake,
                                        .owner = request};
    MHD_suspend_connection(request->connection);
    enum thinker_reply reply = thinker_add(request->arena->thinker, &request->job);
    if (reply != THINKER_TAKEN) {
        request->reply = reply;
        MHD_resume_connection(request->connection);
    }
    return MHD_YES;
}

static enum MHD_Result finish_thought(struct request *request)
{
    struct thinker_job *job = &request->job;
    switch (request->reply) {
    case THINKER_IS_FULL:
        return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE,
                      "too many are waiting for an answer; ask again in a moment");
    case THINKER_SHARE_IS_FULL:
        return refuse(request, MHD_HTTP_TOO_MANY_REQUESTS,
                      "your address has its share of questions waiting already; ask again when "
                      "one is answered");
    case THINKER_TAKEN:
        break;
    }
    if (job->err) {
        return refuse(request, status_of(job->err), job->why.text);
    }
    char *text = job->text;
    job->text = NULL;
    return send_text(request, MHD_HTTP_OK, job->answer->type, text, job->size);
}

/* --- A tournament. --- */

static enum MHD_Result send_scene(struct request *request, struct live *live)
{
    size_t size = 0;
    char *text = live_scene(live, &size);
    return text ? send_text(request, MHD_HTTP_OK, "application/json", text, size)
                : refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "there is nothing to see yet");
}

static enum MHD_Result send_record(struct request *request, struct live *live,
                                   const struct question *question)
{
    struct note why = {""};
    int64_t game = 0;
    char *text = NULL;
    if (!question_get(question, "game")) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, "the field 'game' is missing");
    }
    enum err err = question_number(question, "game", 0, INT32_MAX, &game, &why);
    if (!err) {
        err = live_record(live, (int)game, &text, &why);
    }
    return err ? refuse(request, status_of(err), why.text)
               : send_text(request, MHD_HTTP_OK, "text/plain; charset=utf-8", text, strlen(text));
}

/* A browser that comes back says in a header where it was. */
static enum MHD_Result send_events(struct request *request, struct live *live,
                                   const struct question *question)
{
    struct note why = {""};
    int64_t after = 0;
    const char *last = header(request, "Last-Event-ID");
    enum err err = last ? number_read(last, "Last-Event-ID", 0, INT64_MAX - 1, &after, &why)
                        : question_number(question, "after", 0, INT64_MAX - 1, &after, &why);
    if (err) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, why.text);
    }
    struct MHD_Response *response = live_stream(live, request->connection, after);
    if (!response) {
        return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "too many are watching already");
    }
    page_add_headers(response);
    MHD_add_response_header(response, "Content-Type", "text/event-stream");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    enum MHD_Result result = MHD_queue_response(request->connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_list(struct request *request)
{
    const struct arena *arena = request->arena;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return MHD_NO;
    }
    fputs("{\"tournaments\":[", out);
    for (size_t i = 0; i < arena->live_count; i++) {
        fprintf(out, "%s{\"id\":%zu,", i ? "," : "", i + 1);
        live_write_head(arena->lives[i], out);
        fputc('}', out);
    }
    fputs("]}", out);
    fclose(out);
    return send_text(request, MHD_HTTP_OK, "application/json", text, size);
}

/* "", "/events" or "/record" of one of them. */
static enum MHD_Result answer_part(struct request *request, struct live *live, const char *part)
{
    struct question question = {0};
    if (!read_question(request, &question)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST,
                      "a field is given twice, or there are too many");
    }
    if (strcmp(part, "") == 0) {
        return send_scene(request, live);
    }
    if (strcmp(part, "/events") == 0) {
        return send_events(request, live, &question);
    }
    if (strcmp(part, "/record") == 0) {
        return send_record(request, live, &question);
    }
    return refuse(request, MHD_HTTP_NOT_FOUND, "a tournament has /events and /record");
}

/* What stands behind "tournament": "…" is the first one's, "s" the list, "s/2…" the second's. */
static enum MHD_Result answer_tournament(struct request *request, const char *method,
                                         const char *name)
{
    const struct arena *arena = request->arena;
    size_t id = 1;
    if (strcmp(method, "POST") == 0) {
        return refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED, "ask by GET");
    }
    if (strcmp(name, "s") == 0) {
        return send_list(request);
    }
    if (strncmp(name, "s/", 2) == 0) {
        char *end = NULL;
        id = name[2] >= '1' && name[2] <= '9' ? strtoul(name + 2, &end, 10) : 0;
        name = end ? end : "";
    }
    if (arena->live_count == 0) {
        return refuse(request, MHD_HTTP_NOT_FOUND,
                      "no tournament is followed; start plum serve with --db FILE");
    }
    if (id < 1 || id > arena->live_count) {
        return refuse(request, MHD_HTTP_NOT_FOUND,
                      "there is no such tournament; /api/v1/tournaments lists them");
    }
    return answer_part(request, arena->lives[id - 1], name);
}

static enum MHD_Result answer_api(struct request *request, const char *method, const char *name)
{
    static const char tournament[] = "tournament";
    struct question question = {0};
    if (strncmp(name, tournament, sizeof tournament - 1) == 0) {
        return answer_tournament(request, method, name + sizeof tournament - 1);
    }
    const struct answer *answer = answer_find(name);
    if (!answer) {
        return refuse(request, MHD_HTTP_NOT_FOUND,
                      "there is nothing of that name; /api/v1/openapi.json lists what there is");
    }
    if (answer->needs_text != (strcmp(method, "POST") == 0)) {
        return refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED,
                      answer->needs_text ? "send the text by POST" : "ask by GET");
    }
    if (request->body && strlen(request->body) < request->body_bytes) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, "the body has a byte 0: it is no text");
    }
    if (!read_question(request, &question)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST,
                      "a field is given twice, or there are too many");
    }
    struct note why;
    if (answer_check(answer, &question, &why)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, why.text);
    }
    bool takes_time = answer->needs_thought || answer->needs_text;
    return takes_time ? answer_later(request, answer, &question)
                      : answer_now(request, answer, &question);
}

/* --- Requests that are refused before their body is read. --- */

struct header_count {
    int hosts;
    int lengths;
};

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    (void)kind;
    (void)value;
    struct header_count *count = context;
    count->hosts += strcasecmp(name, "Host") == 0;
    count->lengths += strcasecmp(name, "Content-Length") == 0;
    return MHD_YES;
}

static bool is_api(const char *path)
{
    return strncmp(path, api_prefix, sizeof api_prefix - 1) == 0;
}

/* What the text of a POST to this path is for; NULL: it is for nothing. */
static const struct answer *answer_to_post(const char *path)
{
    const struct answer *found = is_api(path) ? answer_find(path + sizeof api_prefix - 1) : NULL;
    return found && found->needs_text ? found : NULL;
}

static bool has_declared_body(const struct request *request)
{
    const char *length = header(request, "Content-Length");
    return header(request, "Transfer-Encoding") || (length && strcmp(length, "0") != 0);
}

static bool is_declared_too_long(const struct request *request)
{
    const char *length = header(request, "Content-Length");
    return length && strtoull(length, NULL, 10) > REQUEST_MAX_BODY;
}

static bool has_bad_headers(const struct request *request)
{
    struct header_count count = {0};
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, count_header, &count);
    return count.hosts > 1 || count.lengths > 1 ||
           (count.lengths && header(request, "Transfer-Encoding"));
}

/* False: it may go on; else it was refused with *result. */
static bool is_refused(struct request *request, const char *method, const char *path,
                       enum MHD_Result *result)
{
    struct arena *arena = request->arena;
    const char *host = header(request, "Host");
    bool is_read = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    bool has_body = has_declared_body(request);
    bool is_bad = has_bad_headers(request);
    /* What is left unread of a body would be taken for the next request. */
    request->must_close = has_body || is_bad;
    if (is_bad) {
        *result = refuse(request, MHD_HTTP_BAD_REQUEST,
                         "two Host headers, or two ways to tell the body's length");
    } else if (!guard_knows_host(host, arena->hosts)) {
        *result = refuse(request, MHD_HTTP_MISDIRECTED_REQUEST,
                         "this is not a name of this server; start it with --host NAME");
    } else if (!guard_knows_origin(header(request, "Origin"), host)) {
        *result = refuse(request, MHD_HTTP_FORBIDDEN, "another site's page may not ask here");
    } else if (!is_read && strcmp(method, "POST") != 0) {
        *result = refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET, HEAD and POST are known");
    } else if (is_read && has_body) {
        *result = refuse(request, MHD_HTTP_BAD_REQUEST, "a GET has no body");
    } else if (is_api(path) && !rate_take(&arena->rate, visitor_of(request), clock_now_ns())) {
        *result = refuse(request, MHD_HTTP_TOO_MANY_REQUESTS, "too many questions; wait a moment");
    } else if (!is_read && !answer_to_post(path)) {
        *result = is_api(path) ? answer_api(request, method, path + sizeof api_prefix - 1)
                               : refuse(request, MHD_HTTP_NOT_FOUND, no_such_page);
    } else if (!is_read && is_declared_too_long(request)) {
        *result = refuse(request, MHD_HTTP_CONTENT_TOO_LARGE, longer_than_allowed);
    } else if (!is_read && arena->post_count == REQUEST_MAX_POSTS) {
        *result = refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE,
                         "too many are sending records; ask again in a moment");
    } else {
        request->must_close = false;
        request->is_held_post = !is_read;
        arena->post_count += !is_read;
        return false;
    }
    return true;
}

/* --- All of it. --- */

static enum MHD_Result answer(struct request *request, const char *method, const char *path)
{
    bool is_post = strcmp(method, "POST") == 0;
    deadline_pause(request->arena->deadline, request->clock);
    if (!is_post && pages_answer(&request->arena->pages, request->connection, path)) {
        return MHD_YES;
    }
    return is_api(path) ? answer_api(request, method, path + sizeof api_prefix - 1)
                        : refuse(request, MHD_HTTP_NOT_FOUND, no_such_page);
}

/* MHD_NO, which ends the connection: nobody can be answered in the middle of a body. */
static enum MHD_Result keep_body(struct request *request, const char *body, size_t size)
{
    bool is_too_long = request->body_bytes + size > REQUEST_MAX_BODY;
    char *longer = is_too_long ? NULL : realloc(request->body, request->body_bytes + size + 1);
    if (!longer) {
        return MHD_NO;
    }
    memcpy(longer + request->body_bytes, body, size);
    request->body = longer;
    request->body_bytes += size;
    longer[request->body_bytes] = '\0';
    return MHD_YES;
}

enum MHD_Result request_go_on(struct request *request, const char *method, const char *path,
                              const char *body, size_t *size)
{
    enum MHD_Result result = MHD_NO;
    switch (request->stage) {
    case STAGE_NEW:
        if (is_refused(request, method, path, &result)) {
            return result;
        }
        request->stage = STAGE_BODY;
        return MHD_YES;
    case STAGE_BODY:
        if (*size) {
            result = keep_body(request, body, *size);
            *size = 0;
            return result;
        }
        return answer(request, method, path);
    case STAGE_THINKING:
        return finish_thought(request);
    }
    return MHD_NO;
}
