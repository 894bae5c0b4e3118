#include "cluster/machine_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void machine_list_free(struct machine_list *machines)
{
    free(machines->list);
    *machines = (struct machine_list){0};
}

static struct known_machine *find(const struct machine_list *machines, const char *name)
{
    for (size_t i = 0; i < machines->count; i++) {
        if (strcmp(machines->list[i].name, name) == 0) {
            return &machines->list[i];
        }
    }
    return NULL;
}

bool machine_list_add(struct machine_list *machines, const char *name)
{
    if (find(machines, name)) {
        return true;
    }
    struct known_machine *larger = machines->count == MACHINE_LIST_MAX
                                       ? NULL
                                       : array_reserve(machines->list, &machines->capacity,
                                                       machines->count + 1, sizeof *larger);
    if (!larger) {
        return false;
    }
    machines->list = larger;
    struct known_machine *machine = &larger[machines->count++];
    *machine = (struct known_machine){.unfinished = 0};
    snprintf(machine->name, sizeof machine->name, "%s", name);
    return true;
}

void machine_list_note_slots(struct machine_list *machines, const char *name, int slots)
{
    struct known_machine *machine = machine_list_add(machines, name) ? find(machines, name) : NULL;
    if (machine && machine->slots < slots) {
        machine->slots = slots;
    }
}

static int most_unfinished(const struct known_machine *machine)
{
    return MACHINE_LIST_MOST_UNFINISHED * (machine->slots ? machine->slots : 1);
}

bool machine_list_note_unfinished(struct machine_list *machines, const char *name)
{
    struct known_machine *machine = find(machines, name);
    return machine && ++machine->unfinished == most_unfinished(machine);
}

void machine_list_note_result(struct machine_list *machines, const char *name)
{
    struct known_machine *machine = find(machines, name);
    if (machine) {
        machine->unfinished = 0;
    }
}

bool machine_list_is_set_aside(const struct machine_list *machines, const char *name)
{
    const struct known_machine *machine = find(machines, name);
    return machine && machine->unfinished >= most_unfinished(machine);
}
