import { readFileSync } from 'node:fs';

/** The values of a JSONL file. */
export function linesOfJson(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}
