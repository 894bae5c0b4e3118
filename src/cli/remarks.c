#include "cli/remarks.h"

#include <string.h>

#include "base/utf8.h"

const char *remarks_add(struct remarks *remarks, const char *sentence)
{
    struct note clean = {0};
    utf8_clean(sentence, clean.text, sizeof clean.text);
    for (int i = 0; i < remarks->count; i++) {
        if (strcmp(remarks->said[i].text, clean.text) == 0) {
            return NULL;
        }
    }
    if (remarks->count == REMARKS_MAX) {
        return NULL;
    }
    remarks->said[remarks->count] = clean;
    return remarks->said[remarks->count++].text;
}
