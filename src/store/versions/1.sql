CREATE TABLE runs (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  parent_key INTEGER REFERENCES runs(key),
  parent_seq INTEGER,
  summary TEXT NOT NULL,
  ended INTEGER NOT NULL DEFAULT 0,
  -- Deleted by its user, kept for the forks that share its beginning.
  hidden INTEGER NOT NULL DEFAULT 0,
  owner_pid INTEGER,
  owner_started_at TEXT,
  heartbeat_at INTEGER,
  epoch INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX runs_by_parent ON runs(parent_key) WHERE parent_key IS NOT NULL;
CREATE TABLE events (
  run_key INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  branch TEXT NOT NULL,
  ordinal INTEGER,
  attempt INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run_key, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE blobs (
  key INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  -- Text as it is, or a BLOB: zlib.
  data ANY NOT NULL
) STRICT;
CREATE TABLE run_blobs (
  run_key INTEGER NOT NULL,
  blob_key INTEGER NOT NULL,
  PRIMARY KEY (run_key, blob_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE mail (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_key INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX mail_by_run ON mail(run_key, id);
