CREATE TABLE run_sets (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  plan TEXT NOT NULL,
  -- How it ended; null while something of it is missing.
  ending TEXT,
  owner_pid INTEGER,
  owner_started_at TEXT,
  heartbeat_at INTEGER,
  epoch INTEGER NOT NULL DEFAULT 1
) STRICT;
