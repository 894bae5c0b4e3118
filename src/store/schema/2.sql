-- Checksums of the tables that decide something: store/checksum.c.
CREATE TABLE seal (
  name TEXT PRIMARY KEY,
  checksum INTEGER NOT NULL) WITHOUT ROWID;
ALTER TABLE record ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE record SET checksum = checksum_hash(text);

CREATE TABLE program (
  team INTEGER NOT NULL REFERENCES team,
  file TEXT NOT NULL,
  hash INTEGER NOT NULL,
  PRIMARY KEY (team, file)) WITHOUT ROWID;
