-- What a team's programs tried and the sandbox refused, by pairing.
CREATE TABLE violation (
  id INTEGER PRIMARY KEY,
  pairing INTEGER NOT NULL,
  team INTEGER NOT NULL REFERENCES team,
  from_game INTEGER NOT NULL,
  kind TEXT NOT NULL,
  what TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_ms INTEGER NOT NULL);
