-- A copy of another store over this file brings another number.
CREATE TABLE identity (number TEXT NOT NULL);
