import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { engineThatWantsAWord } from './day09-engine-that-wants-a-word.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The engine, straight from the words of its cards. */
function engine(input: string, word: string, isBolted: boolean): { worked: number; rings: boolean } {
  const cards = input.trim().split('\n');
  const shown: Record<string, string> = { north: 'A', east: 'A', south: 'A', west: 'A' };
  const numberOf = (wheel = '') => letters.indexOf(shown[wheel] ?? '');
  const unread = [...word];
  let worked = 0;
  for (let at = 0; at < cards.length; ) {
    const [kind, a = '', , b = '', , shows] = (cards[at] ?? '').split(' ');
    worked++;
    if (kind === 'ring') return { worked, rings: true };
    if (kind === 'jam' && isBolted) return { worked, rings: false };
    if (kind === 'read') shown[a] = unread.shift() ?? '?';
    if (kind === 'set') shown[a] = b;
    if (kind === 'turn') {
      const by = b in shown ? numberOf(b) : Number(b);
      shown[a] = letters[(numberOf(a) + by) % 26] ?? '?';
    }
    at += kind === 'jump' && (shows === undefined || shown[b] === shows) ? Number(a) : 1;
  }
  return { worked, rings: false };
}

const wheel = fc.constantFrom('north', 'east', 'south', 'west');
const turn = fc
  .record({ wheel, by: fc.oneof(wheel, fc.integer({ min: 1, max: 25 }).map(String)) })
  .map(({ wheel: turned, by }) => `turn ${turned} by ${by}`);
const letter = fc.constantFrom(...letters);
const gate = fc
  .record({ wheel, one: letter, other: letter })
  .map((g) => `jump 3 if ${g.wheel} shows ${g.one}\njump 2 if ${g.wheel} shows ${g.other}\njam`);
const setting = fc.record({ wheel, letter }).map((card) => `set ${card.wheel} to ${card.letter}`);
const stretch = fc.array(fc.oneof({ arbitrary: turn, weight: 3 }, setting), { minLength: 1, maxLength: 4 });

test('agrees with trying every word', () => {
  fc.assert(
    fc.property(stretch, gate, stretch, gate, gate, (first, middle, second, last, final) => {
      const program = ['read north', ...first, middle, 'read north', ...second, last, final, 'ring', ''].join(
        '\n',
      );
      const rung = [...letters].flatMap((one) =>
        [...letters].map((two) => one + two).filter((word) => engine(program, word, true).rings),
      );
      if (rung.length > 1) expect(() => engineThatWantsAWord.solve(program)).toThrow('Several words');
      else expect(engineThatWantsAWord.solve(program)[1]).toBe(rung[0] ?? '');
      const worked = engine(program, 'SNOWLINE', false).worked;
      if (rung.length < 2) expect(engineThatWantsAWord.solve(program)[0]).toBe(String(worked));
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('a generated engine rings for its word, jams at its neighbours, and the first letters that pass are not enough', () => {
  let misled = 0;
  for (let seed = 0; seed < 20; seed++) {
    const input = engineThatWantsAWord.generate(seededRandom(`engine ${seed}`));
    const [worked, word] = engineThatWantsAWord.solve(input);
    expect(worked).toBe(String(engine(input, 'SNOWLINE', false).worked));
    expect(engine(input, word, true).rings).toBe(true);
    expect(engine(input, 'SNOWLINE', true).rings).toBe(false);
    expect(word).toMatch(/^[A-Z]{8}$/);
    for (const at of [...word].keys()) {
      for (const other of letters.replace(word[at] ?? '', '')) {
        const neighbour = word.slice(0, at) + other + word.slice(at + 1);
        expect(engine(input, neighbour, true).rings).toBe(false);
      }
    }
    if (greedyWord(input) !== word) misled++;
  }
  expect(misled).toBeGreaterThan(10);
});

/** For each place the first letter that is not followed by a jam before the next one is read. */
function greedyWord(input: string): string {
  let word = '';
  while (word.length < 8) {
    const passing = [...letters].find((candidate) => {
      const beyond = input.split('\n');
      const reads = beyond.flatMap((card, at) => (card.startsWith('read') ? [at] : []));
      const upToNext = beyond.slice(0, reads[word.length + 1] ?? beyond.length);
      return engine([...upToNext, 'ring'].join('\n'), word + candidate, true).rings;
    });
    if (!passing) return word;
    word += passing;
  }
  return word;
}
