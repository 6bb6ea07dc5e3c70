/** Full-text search over a few hundred texts in memory, by SQLite's FTS5: English stems, and any three characters. */
import { DatabaseSync } from 'node:sqlite';
import type { IndexedText, TextIndex } from '../core/io.ts';

/** Han, hiragana, katakana and their marks. */
const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]/u;

/** Beginnings of words are found too; of shorter ones, as "SA", too many words begin so. */
const leastBeginning = 4;

const tokenizers = { english: 'porter unicode61', japanese: 'trigram' };

export function indexTexts(texts: readonly IndexedText[]): TextIndex {
  const database = new DatabaseSync(':memory:');
  const columns = (texts[0]?.fields ?? ['']).map((_, index) => `field${index}`);
  const [entry, places] = [columns.join(', '), columns.map(() => '?').join(', ')];
  for (const [table, tokenizer] of Object.entries(tokenizers)) {
    database.exec(`CREATE VIRTUAL TABLE ${table} USING fts5(${entry}, tokenize = '${tokenizer}')`);
    const insert = database.prepare(`INSERT INTO ${table} (rowid, ${entry}) VALUES (?, ${places})`);
    for (const [row, { fields }] of texts.entries()) {
      insert.run(row + 1, ...columns.map((_, index) => splitForIndex(fields[index] ?? '')));
    }
  }
  // The first field counts as often as there are fields, the last once.
  const weights = columns.map((_, index) => columns.length - index).join(', ');
  const matching = (table: keyof typeof tokenizers) =>
    database.prepare(`SELECT rowid, -bm25(${table}, ${weights}) AS fit FROM ${table} WHERE ${table} MATCH ?`);
  const [inEnglish, inJapanese] = [matching('english'), matching('japanese')];
  const whole = columns.map((name) => `coalesce(${name}, '')`).join(' || char(10) || ');
  const inside = database.prepare(
    `SELECT rowid, 1.0 AS fit FROM japanese WHERE instr(lower(${whole}), ?) > 0`,
  );
  return {
    find(word) {
      const text = splitForIndex(word).trim().toLowerCase();
      if (!/[\p{L}\p{N}]/u.test(text)) return new Map();
      const hits = !japanese.test(text)
        ? inEnglish.all(quoted(text) + (text.length >= leastBeginning ? ' *' : ''))
        : [...text].length < 3
          ? inside.all(text)
          : inJapanese.all(quoted(text));
      return new Map(hits.map(({ rowid, fit }) => [texts[Number(rowid) - 1]?.id ?? '', Number(fit)]));
    },
  };
}

/** `simulated_annealing` is two words; full-width letters are letters. */
function splitForIndex(text: string): string {
  return text.normalize('NFKC').replaceAll('_', ' ');
}

/** As one phrase: nothing in it is an operator. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll('\0', ' ')}"`;
}
