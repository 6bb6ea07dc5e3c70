-- What several hosts share beside journals: who works, what is given out, what is left of a budget.
CREATE TABLE workers (
  id text PRIMARY KEY,
  -- What it says of itself, as JSON.
  facts text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL
);
CREATE TABLE offers (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id text NOT NULL UNIQUE,
  set_id text NOT NULL,
  -- It is done when the run has ended after this event.
  from_seq integer NOT NULL,
  needs text NOT NULL,
  failure text
);
CREATE INDEX offers_by_set ON offers (set_id);
CREATE TABLE budgets (
  set_id text PRIMARY KEY,
  usd double precision,
  tokens bigint,
  -- The limit that could not be kept; null while there was room for all.
  refusal text
);
CREATE TABLE shares (
  set_id text NOT NULL,
  run_id text NOT NULL,
  -- Of the life that may take from the budget.
  generation integer NOT NULL DEFAULT 1,
  usd double precision NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (set_id, run_id)
);
CREATE TABLE holds (
  id text PRIMARY KEY,
  set_id text NOT NULL,
  run_id text NOT NULL,
  usd double precision NOT NULL,
  tokens bigint NOT NULL
);
CREATE INDEX holds_by_run ON holds (set_id, run_id);
CREATE TABLE lanes (
  name text PRIMARY KEY,
  -- How calls to a provider fare, as JSON.
  state text
);
CREATE TABLE turns (
  id text NOT NULL,
  lane text NOT NULL,
  run_key bigint NOT NULL,
  -- Of the life of the run that it is of.
  epoch integer NOT NULL,
  PRIMARY KEY (lane, id)
);
CREATE INDEX turns_by_run ON turns (run_key);
