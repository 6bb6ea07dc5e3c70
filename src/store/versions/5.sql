-- "Poly": other programs have SQLite files too.
PRAGMA application_id = 1349479545;
