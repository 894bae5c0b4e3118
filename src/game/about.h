/* about: the help texts and examples of a game, the searches that measure its engine, and what the
 * engine's bid is made of.
 *
 * Help texts name no game. They have placeholders (cli/help_fill.h) that are replaced by these
 * texts, so that `--help` gives concrete examples and a new game adds its own.
 */
#ifndef GAME_ABOUT_H
#define GAME_ABOUT_H

/* A piece of a help text. The topics, and what the text of a game is:
 *   result     a sentence: what the scores count
 *   unit       a phrase: what the engine's scores count, "discs in NAME"
 *   moves      a sentence: the form of a move
 *   apply      a sentence: what is accepted besides the listed moves
 *   position   lines, each with two spaces in front: the form of a position
 *   pieces     a sentence: what the letters of a position mean
 *   solve      sentences: what the value counts and how long it takes
 *   bestmove   a sentence: what the engine plays for
 *   kit        a sentence: what is to be improved in the kit, if not the function GetStep
 * A topic that a game does not have is left out. */
struct game_text {
    const char *topic; /* NULL ends a table */
    const char *text;
};

/* An example in the help of a command, after the command's own examples. */
struct game_example {
    const char *command; /* NULL ends a table */
    const char *line;
    const char *does; /* a phrase, lower case, no full stop */
};

/* A search of `plum bench`. */
struct game_search {
    int depth; /* 0 ends a table */
    const char *position;
};

/* How often a colour of an auction wins after a payment: engine/bid.h. */
struct game_chance {
    int payment;
    int won[2]; /* in thousandths, by side; not more than in the row before */
};

/* Each of these may be zero. */
struct game_about {
    const struct game_text *texts;
    const struct game_example *examples;
    const struct game_search *bench;
    const struct game_chance *chances; /* by payment, from 0 to the highest */
    int chance_count;
    int margin; /* in hundredths: a score by which most games are won; for puzzles
                   (tools/lab/puzzle.h) */
};

#endif
