-- CRC-32 of what the row says; NULL in rows of earlier versions.
ALTER TABLE events ADD COLUMN sum INTEGER;
-- Polya never changes a row. One that is changed by hand, in SQL, is no damage.
CREATE TRIGGER events_by_hand AFTER UPDATE OF seq, at, branch, ordinal, attempt, kind, body ON events BEGIN
  UPDATE events SET sum = NULL WHERE run_key = new.run_key AND seq = new.seq;
END;
