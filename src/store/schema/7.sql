-- Which machine played a game ('': the tournament's own), and what is known of machines.
ALTER TABLE game ADD COLUMN machine TEXT NOT NULL DEFAULT '';
CREATE TABLE machine (
  machine TEXT PRIMARY KEY,
  refused INTEGER NOT NULL DEFAULT 0,
  returned INTEGER NOT NULL DEFAULT 0,
  lost INTEGER NOT NULL DEFAULT 0,
  quarantine TEXT) WITHOUT ROWID;
