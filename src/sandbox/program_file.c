#include "sandbox/program_file.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/sandbox_programs.h"

bool program_file_find(const char *command, const char *folder, char out[PATH_MAX])
{
    char word[SANDBOX_PROGRAMS_WORD_BYTES];
    if (!sandbox_programs_next_word(command, word)) {
        return false;
    }
    if (!strchr(word, '/')) {
        return sandbox_programs_find_in_path(getenv("PATH"), word, out);
    }
    int length = *word == '/' ? snprintf(out, PATH_MAX, "%s", word)
                              : snprintf(out, PATH_MAX, "%s/%s", folder, word);
    return length < PATH_MAX && access(out, F_OK) == 0;
}

/* --- Other machines. --- */

enum { HEAD_BYTES = 20 }; /* up to the processor of an ELF file */

static bool read_head(const char *path, unsigned char out[HEAD_BYTES])
{
    FILE *file = fopen(path, "rbe");
    bool is_read = file && fread(out, 1, HEAD_BYTES, file) == HEAD_BYTES;
    if (file) {
        fclose(file);
    }
    return is_read;
}

static int machine_of(const unsigned char head[HEAD_BYTES])
{
    int low = head[offsetof(Elf64_Ehdr, e_machine)];
    int high = head[offsetof(Elf64_Ehdr, e_machine) + 1];
    return head[EI_DATA] == ELFDATA2MSB ? low << 8 | high : high << 8 | low;
}

static const char *machine_name(int machine)
{
    static const struct {
        int machine;
        const char *name;
    } names[] = {{EM_386, "32-bit x86"}, {EM_X86_64, "x86-64"},    {EM_ARM, "32-bit ARM"},
                 {EM_AARCH64, "ARM64"},  {EM_RISCV, "RISC-V"},     {EM_MIPS, "MIPS"},
                 {EM_PPC64, "POWER"},    {EM_S390, "IBM Z (s390)"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].machine == machine) {
            return names[i].name;
        }
    }
    return "unknown";
}

static bool is_for_other_processor(const unsigned char head[HEAD_BYTES])
{
    unsigned char own[HEAD_BYTES];
    return memcmp(head, ELFMAG, SELFMAG) == 0 && read_head("/proc/self/exe", own) &&
           (machine_of(head) != machine_of(own) || head[EI_CLASS] != own[EI_CLASS]);
}

bool program_file_is_foreign(const char *path, struct note *why)
{
    static const unsigned char mac_64[] = {0xcf, 0xfa, 0xed, 0xfe};
    static const unsigned char mac_universal[] = {0xca, 0xfe, 0xba, 0xbe, 0, 0, 0};
    unsigned char head[HEAD_BYTES];
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (!read_head(path, head)) {
        return false;
    }
    if (memcmp(head, "MZ", 2) == 0) {
        note_set(why, "%.60s is a Windows program: hand in the source", name);
    } else if (memcmp(head, mac_64, sizeof mac_64) == 0 ||
               memcmp(head, mac_universal, sizeof mac_universal) == 0) {
        note_set(why, "%.60s is a macOS program: hand in the source", name);
    } else if (is_for_other_processor(head)) {
        note_set(why, "%.60s is a program for another processor (%s): hand in the source", name,
                 machine_name(machine_of(head)));
    } else {
        return false;
    }
    return true;
}

/* --- Scripts. --- */

/* The words after "#!"; false: it is not a script. */
static bool read_first_line(const char *path, char out[SANDBOX_PROGRAMS_WORD_BYTES])
{
    FILE *file = fopen(path, "rbe");
    bool is_script =
        file && fgets(out, SANDBOX_PROGRAMS_WORD_BYTES, file) && out[0] == '#' && out[1] == '!';
    if (file) {
        fclose(file);
    }
    if (is_script) {
        out[strcspn(out, "\r\n")] = '\0';
        memmove(out, out + 2, strlen(out + 2) + 1);
    }
    return is_script;
}

static bool is_in_folder_of(const char *path, const char *script)
{
    const char *end = strrchr(script, '/');
    return *path != '/' || (end && strncmp(path, script, (size_t)(end + 1 - script)) == 0);
}

bool program_file_lacks_interpreter(const char *path, struct note *why)
{
    static const char system_path[] = "/usr/local/bin:/usr/bin:/bin";
    char line[SANDBOX_PROGRAMS_WORD_BYTES];
    char word[SANDBOX_PROGRAMS_WORD_BYTES];
    char found[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *script = slash ? slash + 1 : path;
    const char *rest = read_first_line(path, line) ? sandbox_programs_next_word(line, word) : NULL;
    if (!rest || sandbox_programs_is_of_system(path)) {
        return false;
    }
    bool is_env = strcmp(word, "/usr/bin/env") == 0 || strcmp(word, "/bin/env") == 0;
    if (is_env && sandbox_programs_next_word(rest, word) && word[0] != '-' && !strchr(word, '=') &&
        !strchr(word, '/') && !sandbox_programs_find_in_path(system_path, word, found)) {
        note_set(why,
                 "%.60s needs the interpreter %.60s, and none is in the system's folders; write "
                 "'%.60s %.60s' as the player's command",
                 script, word, word, script);
        return true;
    }
    if (is_env || sandbox_programs_is_of_system(word) || is_in_folder_of(word, path)) {
        return false;
    }
    const char *name = strrchr(word, '/') + 1;
    note_set(why,
             "%.50s begins with #!%.60s, which a sandbox does not show; begin it with "
             "#!/usr/bin/env %.30s, or write '%.60s %.50s' as the player's command",
             script, word, name, word, script);
    return true;
}

/* --- Python. --- */

bool program_file_lacks_module(const char *path, const char *log, const char *sharing,
                               struct note *why)
{
    static const char words[] = "ModuleNotFoundError: No module named ";
    const char *last = NULL;
    for (const char *at = log; (at = strstr(at, words)); at++) {
        last = at + strlen(words);
    }
    if (!last) {
        return false;
    }
    last += strspn(last, "'\"");
    int length = (int)strcspn(last, "'\";\r\n");
    length = length < 40 ? length : 40;
    if (*sharing) {
        note_set(why, "it does not find the Python module %.*s; %s", length, last, sharing);
    } else {
        note_set(why,
                 "%.80s does not find the Python module %.*s; install it for that Python, or "
                 "choose another (in a roster: python; check and match: --python)",
                 path, length, last);
    }
    return true;
}
