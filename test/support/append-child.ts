/** A process that remembers guesses: `node append-child.ts FOLDER NAME COUNT`. */
import { createFiles } from '../../src/io/files.ts';

const [folder = '', name = '', count = '0'] = process.argv.slice(2);
const files = createFiles(folder);
for (let number = 0; number < Number(count); number++) {
  const guess = { part: 1, answer: `${name}${number}`, verdict: 'wrong' };
  await files.append('guesses.jsonl', JSON.stringify(guess));
}
