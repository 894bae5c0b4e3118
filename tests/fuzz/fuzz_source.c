/* Sources for `plum build`: the bytes become a file, which is copied as for a compiler.
 *
 * A refusal gives a reason; an accepted source's copy is UTF-8 and has as many lines after the
 * first, which names the original; also in Visual Studio's dialect, where a call of wmain may
 * follow the last. */
#include "fuzz.h"

#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <string.h>

#include "base/folder.h"
#include "course/source_text.h"
#include "course/source_tree.h"

enum { PATH_BYTES = FOLDER_SCRATCH_BYTES + 32, COPY_BYTES = 1 << 20 };

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += *text == '\n' || text[1] == '\0';
    }
    return count;
}

static bool is_utf8(const char *text)
{
    char out[256];
    iconv_t converter = iconv_open("UCS-4LE", "UTF-8");
    char *input = (char *)text;
    size_t left = strlen(text);
    size_t result = 0;
    do {
        char *output = out;
        size_t room = sizeof out;
        result = iconv(converter, &input, &left, &output, &room);
    } while (result == (size_t)-1 && errno == E2BIG);
    iconv_close(converter);
    return result != (size_t)-1 && left == 0;
}

static void write_source(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "w");
    CLAIM(file);
    CLAIM(fwrite(data, 1, size, file) == size);
    CLAIM(fclose(file) == 0);
}

static void check_copy(const struct source_tree *tree, const char *text)
{
    static char copy[COPY_BYTES];
    static const char call[] = "\nCOMPAT_MAIN\n";
    char path[PATH_BYTES];
    source_tree_path(tree, 0, path, sizeof path);
    FILE *file = fopen(path, "r");
    CLAIM(file);
    size_t size = fread(copy, 1, sizeof copy - 1, file);
    fclose(file);
    copy[size] = '\0';
    CLAIM(strlen(copy) == size);
    CLAIM(is_utf8(copy));
    size_t wanted = count_lines(text) + 1;
    if (count_lines(copy) != wanted) {
        CLAIM(size > strlen(call) && strcmp(copy + size - strlen(call), call) == 0);
        copy[size - strlen(call)] = '\0';
    }
    CLAIM(count_lines(copy) == wanted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct source_tree tree;
    struct folder_scratch folder = {0};
    struct note why = {""};
    char path[PATH_BYTES];
    CLAIM(folder_scratch_make(&folder, &why) == ERR_NONE);
    snprintf(path, sizeof path, "%s/agent.cpp", folder.path);
    write_source(path, data, size);

    const char *const sources[] = {path};
    char *text = NULL;
    enum err decoded = source_text_decode((const char *)data, size, &text, &why);
    for (int i = 0; i < 2; i++) {
        tree.folder = folder.path;
        tree.is_for_windows = i;
        enum err copied = source_tree_copy(&tree, NULL, sources, 1, &why);
        CLAIM(!decoded || copied);
        CLAIM(!copied || *why.text);
        if (!copied) {
            check_copy(&tree, text);
        }
        source_tree_free(&tree);
    }
    free(text);
    folder_scratch_remove(&folder);
    return 0;
}
