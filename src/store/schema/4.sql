-- A game that both lost has the result 0-0.
ALTER TABLE game RENAME TO game_before;
CREATE TABLE game (
  game INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('played', 'annulled', 'set aside')),
  black INTEGER NOT NULL REFERENCES team,
  white INTEGER NOT NULL REFERENCES team,
  result TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2', '0-0')),
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
INSERT INTO game SELECT * FROM game_before;
DROP TABLE game_before;
