CREATE TABLE runs (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  parent_key bigint REFERENCES runs (key),
  parent_seq integer,
  summary text NOT NULL,
  -- Of its last event, a fork's shared beginning included: an append is refused that does not go on from there.
  last_seq integer NOT NULL,
  last_at bigint,
  ended boolean NOT NULL DEFAULT false,
  -- Deleted by its user, kept for the forks that share its beginning.
  hidden boolean NOT NULL DEFAULT false,
  owner_pid integer,
  owner_started_at text,
  owner_host text,
  heartbeat_at timestamptz,
  -- By the clock of the database. An owner that has not renewed it until then is dead.
  lease_until timestamptz,
  epoch integer NOT NULL DEFAULT 1
) WITH (fillfactor = 70);
CREATE INDEX runs_by_parent ON runs (parent_key) WHERE parent_key IS NOT NULL;
CREATE TABLE events (
  run_key bigint NOT NULL,
  seq integer NOT NULL,
  at bigint NOT NULL,
  branch text NOT NULL,
  ordinal integer,
  attempt integer NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  -- CRC-32 of what the row says.
  sum bigint,
  PRIMARY KEY (run_key, seq)
);
-- Polya never changes a row. One that is changed by hand, in SQL, is no damage.
CREATE FUNCTION unsum_event() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.sum := NULL; RETURN NEW; END';
CREATE TRIGGER events_by_hand BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION unsum_event();
CREATE TABLE blobs (
  hash text PRIMARY KEY,
  -- Text in UTF-8; zlib where it is packed.
  packed boolean NOT NULL,
  data bytea NOT NULL
);
ALTER TABLE blobs ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE run_blobs (
  run_key bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (run_key, hash)
);
CREATE TABLE mail (
  id bigint PRIMARY KEY,
  run_key bigint NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  -- A string of JSON: a text may hold a NUL, and a column of text may not.
  text text NOT NULL,
  -- One that is sent again because its receipt was lost is kept once.
  token uuid NOT NULL UNIQUE
);
-- One row, which who posts holds until it is done: a later number is never seen before an earlier one.
CREATE TABLE last_mail (id bigint NOT NULL);
INSERT INTO last_mail VALUES (0);
CREATE INDEX mail_by_run ON mail (run_key, id);
CREATE TABLE tails (
  run_key bigint PRIMARY KEY,
  epoch integer NOT NULL,
  text text NOT NULL
);
CREATE TABLE run_sets (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  plan text NOT NULL,
  -- How it ended; null while something of it is missing.
  ending text,
  owner_pid integer,
  owner_started_at text,
  owner_host text,
  heartbeat_at timestamptz,
  lease_until timestamptz,
  epoch integer NOT NULL DEFAULT 1
);
