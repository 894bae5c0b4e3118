CREATE TABLE tournament (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL,
  game TEXT NOT NULL,
  roster TEXT NOT NULL,
  folder TEXT NOT NULL,
  created_ms INTEGER NOT NULL);

CREATE TABLE team (
  team INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL);

CREATE TABLE withdrawal (
  team INTEGER PRIMARY KEY REFERENCES team,
  rounds INTEGER NOT NULL);

CREATE TABLE pairing (
  pairing INTEGER PRIMARY KEY,
  round INTEGER NOT NULL,
  first INTEGER NOT NULL REFERENCES team,
  second INTEGER REFERENCES team,
  checksum INTEGER NOT NULL);

-- A table of their own for the records, so that a query over many games reads few pages.
CREATE TABLE record (
  record INTEGER PRIMARY KEY,
  text TEXT NOT NULL);

CREATE TABLE game (
  game INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('played', 'annulled', 'set aside')),
  black INTEGER NOT NULL REFERENCES team,
  white INTEGER NOT NULL REFERENCES team,
  result TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2')),
  black_score INTEGER NOT NULL,
  white_score INTEGER NOT NULL,
  reason TEXT NOT NULL,
  is_forfeit INTEGER NOT NULL,
  plies INTEGER NOT NULL,
  black_thinking_ms INTEGER NOT NULL,
  white_thinking_ms INTEGER NOT NULL,
  black_slowest_ms INTEGER NOT NULL,
  white_slowest_ms INTEGER NOT NULL,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER NOT NULL,
  record INTEGER NOT NULL REFERENCES record,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (game, attempt)) WITHOUT ROWID;

CREATE TABLE fault (
  id INTEGER PRIMARY KEY,
  game INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  team INTEGER NOT NULL REFERENCES team,
  ply INTEGER NOT NULL,
  kind TEXT NOT NULL,
  why TEXT NOT NULL,
  position TEXT NOT NULL,
  time_ms INTEGER);

CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  pairing INTEGER NOT NULL,
  team INTEGER NOT NULL REFERENCES team,
  from_game INTEGER NOT NULL,
  text TEXT NOT NULL);

CREATE TABLE build (
  team INTEGER PRIMARY KEY REFERENCES team,
  is_built INTEGER NOT NULL,
  messages TEXT NOT NULL);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  game INTEGER,
  team INTEGER REFERENCES team,
  reason TEXT NOT NULL);

-- A program that follows a tournament asks for the ids after the last one seen.
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  game INTEGER,
  text TEXT NOT NULL);
CREATE INDEX event_plies ON event (game) WHERE kind = 'ply';
