#include "web/http_request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/number.h"
#include "course/kit.h"
#include "game/registry.h"
#include "web/origin_check.h"

static const char api_prefix[] = "/api/v1/";
static const char no_such_page[] = "there is no such page; start at /";
static const char bad_fields[] = "a field is given twice, or there are too many fields";
static const char longer_than_allowed[] = "the text is longer than a megabyte";

enum request_stage { STAGE_NEW, STAGE_BODY, STAGE_SEARCH, STAGE_SESSION };

struct http_request {
    struct web_server *server;
    struct MHD_Connection *connection;
    struct deadline_clock *clock;
    uint64_t address;
    const char *method;
    enum request_stage stage;
    char *body;
    size_t body_bytes;
    struct search_worker_job job;
    enum search_worker_reply reply; /* to the job */
    bool must_close;
    bool is_held_post;
};

struct deadline_clock *http_request_clock(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

uint64_t http_request_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? address_share_key(info->client_addr) : 0;
}

struct http_request *http_request_make(struct web_server *server, struct MHD_Connection *connection)
{
    struct http_request *request = calloc(1, sizeof *request);
    if (request) {
        request->server = server;
        request->connection = connection;
        request->clock = http_request_clock(connection);
        request->address = http_request_address(connection);
    }
    return request;
}

void http_request_free(struct http_request *request)
{
    if (request) {
        if (request->is_held_post) {
            address_share_give(&request->server->posts, request->address);
        }
        free(request->job.text);
        free(request->body);
        free(request);
    }
}

static bool is_read(const char *method)
{
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
}

/* --- Answers. --- */

/* For the header Allow: what a path that refuses this method takes. */
static const char *methods_besides(const char *method)
{
    if (strcmp(method, "POST") == 0) {
        return "GET, HEAD";
    }
    return is_read(method) ? "POST" : "GET, HEAD, POST";
}

/* Takes the response; its body must be read in the time for `size` bytes. */
static enum MHD_Result send_response(struct http_request *request, unsigned status,
                                     const char *type, struct MHD_Response *response, size_t size)
{
    web_pages_add_headers(response);
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        MHD_add_response_header(response, "Allow", methods_besides(request->method));
    }
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE || status == MHD_HTTP_TOO_MANY_REQUESTS) {
        MHD_add_response_header(response, "Retry-After", "2");
    }
    if (status == MHD_HTTP_UNAUTHORIZED) {
        MHD_add_response_header(response, "WWW-Authenticate", "Bearer");
    }
    if (request->must_close) {
        MHD_add_response_header(response, "Connection", "close");
    }
    deadline_answer(request->server->deadline, request->clock, size);
    enum MHD_Result result = MHD_queue_response(request->connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* Takes `text`, which came from malloc. */
static enum MHD_Result send_text(struct http_request *request, unsigned status, const char *type,
                                 char *text, size_t size)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(text);
        return MHD_NO;
    }
    return send_response(request, status, type, response, size);
}

static enum MHD_Result refuse(struct http_request *request, unsigned status, const char *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return MHD_NO;
    }
    api_write_error(out, why);
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

static const char *header(const struct http_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* --- Queries. --- */

struct query_reader {
    struct api_query *query;
    bool is_bad;
};

static enum MHD_Result read_field(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    (void)kind;
    struct query_reader *reader = context;
    reader->is_bad = reader->is_bad || !api_query_add(reader->query, name, value ? value : "");
    return MHD_YES;
}

static bool read_query(struct http_request *request, struct api_query *out)
{
    struct query_reader reader = {.query = out};
    MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, read_field, &reader);
    if (request->body) {
        reader.is_bad = reader.is_bad || !api_query_add(out, "text", request->body);
    }
    return !reader.is_bad;
}

static enum MHD_Result answer_now(struct http_request *request, const struct api_endpoint *endpoint,
                                  const struct api_query *query)
{
    struct note why = {""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        return MHD_NO;
    }
    enum err err = endpoint->write(&request->server->context, query, out, &why);
    fclose(out);
    if (err) {
        free(text);
        return refuse(request, status_of(err), why.text);
    }
    return send_text(request, MHD_HTTP_OK, api_type(endpoint), text, size);
}

static void wake(void *owner)
{
    struct http_request *request = owner;
    MHD_resume_connection(request->connection);
}

static enum MHD_Result answer_later(struct http_request *request,
                                    const struct api_endpoint *endpoint,
                                    const struct api_query *query)
{
    request->stage = STAGE_SEARCH;
    request->job = (struct search_worker_job){.client = request->address,
                                              .endpoint = endpoint,
                                              .query = *query,
                                              .on_done = wake,
                                              .owner = request};
    MHD_suspend_connection(request->connection);
    enum search_worker_reply reply = search_worker_add(request->server->worker, &request->job);
    if (reply != SEARCH_WORKER_TAKEN) {
        request->reply = reply;
        MHD_resume_connection(request->connection);
    }
    return MHD_YES;
}

static enum MHD_Result finish_search(struct http_request *request)
{
    struct search_worker_job *job = &request->job;
    switch (request->reply) {
    case SEARCH_WORKER_IS_FULL:
        return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE,
                      "too many searches are waiting; try again in a moment");
    case SEARCH_WORKER_SHARE_IS_FULL:
        return refuse(request, MHD_HTTP_TOO_MANY_REQUESTS,
                      "too many requests of your address are waiting already; try again when one "
                      "is answered");
    case SEARCH_WORKER_TAKEN:
        break;
    }
    if (job->err) {
        return refuse(request, status_of(job->err), job->why.text);
    }
    char *text = job->text;
    job->text = NULL;
    return send_text(request, MHD_HTTP_OK, api_type(job->endpoint), text, job->size);
}

/* --- A tournament. --- */

static enum MHD_Result send_tournament(struct http_request *request, struct live *live,
                                       const struct api_query *query)
{
    (void)query;
    size_t size = 0;
    struct MHD_Response *response = live_tournament(live, &size);
    return response
               ? send_response(request, MHD_HTTP_OK, "application/json", response, size)
               : refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory for the tournament");
}

static enum MHD_Result send_record(struct http_request *request, struct live *live,
                                   const struct api_query *query)
{
    struct note why = {""};
    int64_t game = 0;
    char *text = NULL;
    if (!api_query_get(query, "game")) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, "the field 'game' is missing");
    }
    enum err err = api_query_number(query, "game", 1, INT32_MAX, &game, &why);
    err = err ? err : live_record(live, (int)game - 1, &text, &why);
    return err ? refuse(request, status_of(err), why.text)
               : send_text(request, MHD_HTTP_OK, "text/plain; charset=utf-8", text, strlen(text));
}

/* After a lost connection a browser sends the id of the last event in a header. */
static enum MHD_Result send_events(struct http_request *request, struct live *live,
                                   const struct api_query *query)
{
    struct note why = {""};
    int64_t after = 0;
    const char *last = header(request, "Last-Event-ID");
    enum err err = last ? number_read(last, "Last-Event-ID", 0, INT64_MAX - 1, &after, &why)
                        : api_query_number(query, "after", 0, INT64_MAX - 1, &after, &why);
    if (err) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, why.text);
    }
    struct MHD_Response *response = live_stream(live, request->connection, request->address, after);
    if (!response) {
        return refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE,
                      "too many clients are watching already");
    }
    web_pages_add_headers(response);
    MHD_add_response_header(response, "Content-Type", "text/event-stream");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    enum MHD_Result result = MHD_queue_response(request->connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_list(struct http_request *request, struct live *live,
                                 const struct api_query *query)
{
    const struct web_server *server = request->server;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    (void)live;
    (void)query;
    if (!out) {
        return MHD_NO;
    }
    struct json json = json_make(out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "tournaments");
    for (size_t i = 0; i < server->live_count; i++) {
        json_begin_object(&json, NULL);
        json_integer(&json, "id", (int64_t)i + 1);
        live_write_head(server->lives[i], &json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    fclose(out);
    return send_text(request, MHD_HTTP_OK, "application/json", text, size);
}

/* What a tournament has, by the rest of its path. */
static const struct tournament_endpoint {
    const char *name; /* for messages */
    const char *path;
    const char *fields[2]; /* that a query may have, up to NULL */
    enum MHD_Result (*send)(struct http_request *request, struct live *live,
                            const struct api_query *query);
} tournament_list = {"tournaments", "", {NULL}, send_list},
  tournament_endpoints[] = {
      {"tournament", "", {NULL}, send_tournament},
      {"events", "/events", {"after"}, send_events},
      {"record", "/record", {"game"}, send_record},
};

static enum MHD_Result answer_part(struct http_request *request, struct live *live,
                                   const struct tournament_endpoint *endpoint)
{
    struct api_query query = {0};
    struct note why;
    if (!read_query(request, &query)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, bad_fields);
    }
    if (api_query_check(&query, endpoint->name, endpoint->fields, &why)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, why.text);
    }
    return endpoint->send(request, live, &query);
}

/* `name` is the path after "tournament": "…" is the first one's, "s" the list, "s/2…" the
 * second's. */
static enum MHD_Result answer_tournament(struct http_request *request, const char *method,
                                         const char *name)
{
    const struct web_server *server = request->server;
    size_t id = 1;
    if (strcmp(method, "POST") == 0) {
        return refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED, "send this request by GET");
    }
    if (strcmp(name, "s") == 0) {
        return answer_part(request, NULL, &tournament_list);
    }
    if (strncmp(name, "s/", 2) == 0) {
        char *end = NULL;
        id = name[2] >= '1' && name[2] <= '9' ? strtoul(name + 2, &end, 10) : 0;
        name = end ? end : "";
    }
    if (server->live_count == 0) {
        return refuse(request, MHD_HTTP_NOT_FOUND,
                      "no tournament is followed; start plum serve with --db FILE");
    }
    if (id < 1 || id > server->live_count) {
        return refuse(request, MHD_HTTP_NOT_FOUND,
                      "there is no such tournament; /api/v1/tournaments lists them");
    }
    for (size_t i = 0; i < sizeof tournament_endpoints / sizeof tournament_endpoints[0]; i++) {
        if (strcmp(name, tournament_endpoints[i].path) == 0) {
            return answer_part(request, server->lives[id - 1], &tournament_endpoints[i]);
        }
    }
    return refuse(request, MHD_HTTP_NOT_FOUND, "a tournament has /events and /record");
}

/* --- Games with agents. --- */

static enum MHD_Result answer_session(struct http_request *request, const char *method,
                                      const char *name)
{
    struct api_query query = {0};
    struct session_answer answer;
    if (!read_query(request, &query)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, bad_fields);
    }
    const struct session_request asked = {
        .is_post = strcmp(method, "POST") == 0,
        .path = name,
        .query = &query,
        .authorization = header(request, "Authorization"),
        .origin = header(request, "Origin"),
        .token = header(request, "Plum-Token"),
        .connection = request->stage == STAGE_SESSION ? NULL : request->connection,
    };
    request->stage = STAGE_SESSION;
    session_hub_answer(&request->server->hub, &asked, &answer);
    if (answer.status == 0) {
        return MHD_YES;
    }
    return answer.text
               ? send_text(request, answer.status, "application/json", answer.text, answer.size)
               : refuse(request, answer.status, answer.why.text);
}

/* --- Kits. --- */

static enum MHD_Result send_kit(struct http_request *request)
{
    static const char *const fields[] = {"game", "language", "team", NULL};
    struct api_query query = {0};
    struct note why = {""};
    struct kit kit;
    char *bytes = NULL;
    size_t size = 0;
    if (!is_read(request->method)) {
        return refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED, "send this request by GET");
    }
    if (!read_query(request, &query)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, bad_fields);
    }
    const char *team = api_query_get(&query, "team");
    const char *language = api_query_get(&query, "language");
    const char *name = api_query_get(&query, "game");
    const struct game *game = registry_find(request->server->context.cpu, name ? name : "", &why);
    if (!game || api_query_check(&query, "kit", fields, &why) ||
        kit_make(&kit, game, language ? language : "", team ? team : "", &why)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, why.text);
    }
    enum err err = kit_zip(&kit, &bytes, &size, &why);
    return err ? refuse(request, status_of(err), why.text)
               : send_text(request, MHD_HTTP_OK, "application/zip", bytes, size);
}

static enum MHD_Result answer_api(struct http_request *request, const char *method,
                                  const char *name)
{
    static const char tournament[] = "tournament";
    struct api_query query = {0};
    struct note why;
    if (strncmp(name, tournament, sizeof tournament - 1) == 0) {
        return answer_tournament(request, method, name + sizeof tournament - 1);
    }
    if (session_hub_has(name)) {
        return answer_session(request, method, name);
    }
    if (strcmp(name, "kit") == 0) {
        return send_kit(request);
    }
    const struct api_endpoint *endpoint = api_find(name);
    if (!endpoint) {
        return refuse(request, MHD_HTTP_NOT_FOUND,
                      "there is no such endpoint; /api/v1/openapi.json lists them");
    }
    bool takes_time = endpoint->needs_search || endpoint->needs_text;
    if (takes_time != (strcmp(method, "POST") == 0)) {
        return refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED,
                      endpoint->needs_text     ? "send the text by POST"
                      : endpoint->needs_search ? "send this request by POST: it starts a search"
                                               : "send this request by GET");
    }
    if (request->body && strlen(request->body) < request->body_bytes) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, "the body has a byte 0: it is not text");
    }
    if (!read_query(request, &query)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, bad_fields);
    }
    if (api_query_check(&query, endpoint->name, endpoint->fields, &why)) {
        return refuse(request, MHD_HTTP_BAD_REQUEST, why.text);
    }
    return takes_time ? answer_later(request, endpoint, &query)
                      : answer_now(request, endpoint, &query);
}

/* --- Requests that are refused before their body is read. --- */

enum body_use { BODY_OF_NO_POST, BODY_MUST_BE_EMPTY, BODY_IS_TEXT };

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

/* What a POST to this path does with a body. */
static enum body_use body_use_of(const char *path)
{
    const char *name = path + sizeof api_prefix - 1;
    if (is_api(path) && session_hub_has(name)) {
        return BODY_MUST_BE_EMPTY;
    }
    const struct api_endpoint *found = is_api(path) ? api_find(name) : NULL;
    if (found && found->needs_text) {
        return BODY_IS_TEXT;
    }
    return found && found->needs_search ? BODY_MUST_BE_EMPTY : BODY_OF_NO_POST;
}

static bool has_declared_body(const struct http_request *request)
{
    const char *length = header(request, "Content-Length");
    return header(request, "Transfer-Encoding") || (length && strcmp(length, "0") != 0);
}

static bool is_declared_too_long(const struct http_request *request)
{
    const char *length = header(request, "Content-Length");
    return length && strtoull(length, NULL, 10) > HTTP_REQUEST_MAX_BODY;
}

static bool has_bad_headers(const struct http_request *request)
{
    struct header_count count = {0};
    MHD_get_connection_values(request->connection, MHD_HEADER_KIND, count_header, &count);
    return count.hosts > 1 || count.lengths > 1 ||
           (count.lengths && header(request, "Transfer-Encoding"));
}

/* A page may have a link from another site; what the API does costs time. */
static bool is_from_other_site(const struct http_request *request, const char *path)
{
    return !origin_check_origin(header(request, "Origin"), header(request, "Host")) ||
           (is_api(path) && !origin_check_site(header(request, "Sec-Fetch-Site")));
}

/* False: its body may come; else it was refused with *result. */
static bool is_post_refused(struct http_request *request, const char *path, enum MHD_Result *result)
{
    struct web_server *server = request->server;
    enum body_use use = body_use_of(path);
    if (use == BODY_OF_NO_POST) {
        *result = is_api(path) ? answer_api(request, "POST", path + sizeof api_prefix - 1)
                               : refuse(request, MHD_HTTP_NOT_FOUND, no_such_page);
    } else if (use == BODY_MUST_BE_EMPTY && !has_declared_body(request)) {
        return false;
    } else if (use == BODY_MUST_BE_EMPTY) {
        *result = refuse(request, MHD_HTTP_BAD_REQUEST, "this request takes no body");
    } else if (is_declared_too_long(request)) {
        *result = refuse(request, MHD_HTTP_CONTENT_TOO_LARGE, longer_than_allowed);
    } else if (!address_share_take(&server->posts, request->address)) {
        *result = refuse(request, MHD_HTTP_SERVICE_UNAVAILABLE,
                         "too many records are being read; try again in a moment");
    } else {
        request->must_close = false;
        request->is_held_post = true;
        return false;
    }
    return true;
}

/* False: it may continue; else it was refused with *result. */
static bool is_refused(struct http_request *request, const char *path, enum MHD_Result *result)
{
    struct web_server *server = request->server;
    bool has_body = has_declared_body(request);
    bool is_bad = has_bad_headers(request);
    /* An unread body would be taken for the next request. */
    request->must_close = has_body || is_bad;
    if (is_bad) {
        *result =
            refuse(request, MHD_HTTP_BAD_REQUEST, "two Host headers, or two lengths of the body");
    } else if (!origin_check_host(header(request, "Host"), server->hosts)) {
        *result = refuse(request, MHD_HTTP_MISDIRECTED_REQUEST,
                         "this is not a name of this server; start it with --host NAME");
    } else if (is_from_other_site(request, path)) {
        *result = refuse(request, MHD_HTTP_FORBIDDEN,
                         "a page of another site may not send requests here");
    } else if (!is_read(request->method) && strcmp(request->method, "POST") != 0) {
        *result =
            refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED, "the methods are GET, HEAD and POST");
    } else if (is_read(request->method) && has_body) {
        *result = refuse(request, MHD_HTTP_BAD_REQUEST, "a GET has no body");
    } else if (is_api(path) &&
               !token_bucket_take(&server->buckets, request->address, clock_now_ns())) {
        *result = refuse(request, MHD_HTTP_TOO_MANY_REQUESTS, "too many requests; wait a moment");
    } else {
        return !is_read(request->method) && is_post_refused(request, path, result);
    }
    return true;
}

/* --- The whole request. --- */

static enum MHD_Result answer(struct http_request *request, const char *method, const char *path)
{
    bool is_post = strcmp(method, "POST") == 0;
    deadline_pause(request->server->deadline, request->clock);
    if (!is_post && web_pages_answer(&request->server->pages, request->connection, path)) {
        return MHD_YES;
    }
    return is_api(path) ? answer_api(request, method, path + sizeof api_prefix - 1)
                        : refuse(request, MHD_HTTP_NOT_FOUND, no_such_page);
}

/* MHD_NO ends the connection: no response can be sent in the middle of a body. */
static enum MHD_Result keep_body(struct http_request *request, const char *body, size_t size)
{
    bool is_too_long = request->body_bytes + size > HTTP_REQUEST_MAX_BODY;
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

enum MHD_Result http_request_continue(struct http_request *request, const char *method,
                                      const char *path, const char *body, size_t *size)
{
    enum MHD_Result result = MHD_NO;
    request->method = method;
    switch (request->stage) {
    case STAGE_NEW:
        if (is_refused(request, path, &result)) {
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
    case STAGE_SEARCH:
        return finish_search(request);
    case STAGE_SESSION:
        return answer_session(request, method, path + sizeof api_prefix - 1);
    }
    return MHD_NO;
}
