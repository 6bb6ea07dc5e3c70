/** What counts as new: not another name or comment, not the same change again; any change that does something else. */
import { array, assert, boolean, constantFrom, integer, property, record, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fingerprintOf,
  Novelty,
  namesIn,
  type Run,
  runsOf,
  type SimilarityResult,
  tokensOf,
  type Work,
} from './novelty.ts';

const statements = Array.from(
  { length: 40 },
  (_, at) => `  value${at} = start${at} * ${at} + other${at % 7}[${at}];`,
);
const program = ['#include <vector>', 'int main() {', ...statements, '}', ''].join('\n');
const changed = (from: string, to: string) => program.replace(from, to);

function judged(source: string, { siblings = [] as readonly string[], python = false } = {}) {
  const novelty = new Novelty(python ? 'python' : 'cpp');
  novelty.add({ id: 'parent', source: program, parents: [] });
  for (const [at, sibling] of siblings.entries()) {
    novelty.add({ id: `sibling${at + 1}`, source: sibling, parents: ['parent'] });
  }
  return novelty.nearest({ id: 'new', source, parents: ['parent'] });
}

describe('nothing new', () => {
  test.each([
    ['comments and spaces', `// a word\n${program.replaceAll(' = ', '  =  ')}/* and\nanother */`],
    ['other names', program.replaceAll('value', 'result').replaceAll('other', 'more')],
    ['the program itself', program],
  ])('%s', (_what, source) => {
    expect(judged(source)).toEqual({ id: 'parent', likeness: 1 });
  });

  test('the change that another has made, with another name for what is new', () => {
    const one = changed(
      statements[5] ?? '',
      '  int best = 3; use(best, best + 1); use(best, 2); use(best, 3);',
    );
    const second = changed(
      statements[5] ?? '',
      '  int top = 3; use(top, top + 1); use(top, 2); use(top, 3);',
    );
    const found = judged(second, { siblings: [one] });
    expect(found?.id).toBe('sibling1');
    expect(found?.likeness).toBeGreaterThan(0.9);
  });
});

/** As programs are: types, functions, members, constructors, constants of the library. */
const climber = `#include <bits/stdc++.h>
using namespace std;
struct State { vector<int> place; int cost; };
const double WEIGHT = 0.5, OTHER = 0.7;
int best = INT_MAX;
double worth_of(const State& state) { return WEIGHT * state.cost + sqrt(state.place.size()); }
int main() {
  int n, limit; cin >> n >> limit;
  mt19937 rng(7);
  vector<char> lit(n * n); auto begun = steady_clock::now();
  State now{vector<int>(n), 0}, next = now;
  for (int i = 0; i < limit; i++) {
    int cell = rng() % n; lit[cell] = 1; next.place[cell] += lit[i % n] ? 1 : -1; next.cost = cell;
    if (worth_of(next) > worth_of(now)) now = next;
    improve(now); improve(now);
    if (duration_cast<milliseconds>(steady_clock::now() - begun).count() > 900) break;
  }
  cout << min(best, now.cost) << endl;
}
`;

describe('names of its own', () => {
  const isKnown = (source: string): boolean => {
    const novelty = new Novelty('cpp');
    novelty.add({ id: 'gen00_id01', source: climber, parents: [] });
    novelty.add({ id: 'gen00_id02', source: program, parents: [] });
    // No relative of the one that it equals.
    return novelty.nearest({ id: 'new', source, parents: ['gen00_id02'] })?.likeness === 1;
  };
  const words = (from: string, to: string) => climber.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to);

  test.each(['State', 'place', 'WEIGHT', 'worth_of', 'state', 'lit', 'rng', 'now', 'cell', 'i', 'begun'])(
    '%s is another one everywhere: nothing new, whatever it was made from',
    (name) => expect(isKnown(words(name, 'renamed'))).toBe(name !== 'now'),
  );

  test.each([
    ['another variable of its own', climber.replace('WEIGHT *', 'OTHER *')],
    ['another function of the library', words('sqrt', 'cbrt')],
    ['another constant of the library', words('INT_MAX', 'INT_MIN')],
    ['another type of the library', words('mt19937', 'minstd_rand')],
    ['another unit', words('milliseconds', 'microseconds')],
    [
      'two that change places in one function',
      climber.replace('worth_of(next) > worth_of(now)', 'worth_of(now) > worth_of(next)'),
    ],
    ['the same once more', climber.replace('improve(now);', 'improve(now); improve(now);')],
  ])('%s is something new', (_what, source) => {
    expect(source).not.toBe(climber);
    expect(isKnown(source)).toBe(false);
    const novelty = new Novelty('cpp');
    novelty.add({ id: 'parent', source: climber, parents: [] });
    const sibling = climber.replace('rng(7)', 'rng(8)');
    novelty.add({ id: 'sibling', source: sibling, parents: ['parent'] });
    expect(novelty.nearest({ id: 'new', source, parents: ['parent'] })?.likeness ?? 0).toBeLessThan(0.9);
  });
});

describe('something new, however long the program', () => {
  test.each([
    ['another constant', changed('* 5 +', '* 6 +')],
    ['another variable', changed('other5[5]', 'start5[5]')],
    ['another function', changed('* 5 +', '* exp(5) +')],
    ['another container', changed('<vector>', '<deque>')],
    ['another operator', changed('* 5 +', '* 5 -')],
    ['a text that holds what looks like a comment', changed('* 5 +', '* size("// 5") +')],
  ])('%s', (_what, source) => {
    const siblings = [changed('* 9 +', '* 8 +'), changed('* 12 +', '* 13 +')];
    expect(judged(source, { siblings: siblings })?.likeness ?? 0).toBeLessThan(0.9);
  });

  test('a rewrite, although it removes what another rewrite removed', () => {
    const anew = (word: string) =>
      `int main() {\n${Array.from({ length: 30 }, (_, at) => `  ${word}(${at}, x${at});`).join('\n')}\n}`;
    expect(judged(anew('place'), { siblings: [anew('move')] })?.likeness).toBeLessThan(0.6);
  });
});

test('two changes of one constant each are alike exactly where they are the same', () => {
  const at = integer({ min: 2, max: 37 });
  assert(
    property(at, at, constantFrom(50, 51), constantFrom(50, 51), (one, two, here, existing) => {
      const first = changed(`* ${one} +`, `* ${here} +`);
      const second = changed(`* ${two} +`, `* ${existing} +`);
      const likeness = judged(second, { siblings: [first] })?.likeness ?? 0;
      expect(likeness >= 0.9).toBe(one === two && here === existing);
    }),
    { seed: 7, numRuns: 40 },
  );
});

test('first programs are held against one another, and Python has comments of its own', () => {
  const novelty = new Novelty('python');
  novelty.add({ id: 'one', source: 'for a in range(9):\n  print(a)  # all\n', parents: [] });
  const same = { id: 'two', source: 'for a in range(9): print(a)', parents: [] };
  expect(novelty.nearest(same)).toEqual({ id: 'one', likeness: 1 });
  const other = {
    id: 'three',
    source: 'while True:\n  a = [int(x) for x in input().split()]\n',
    parents: [],
  };
  expect(novelty.nearest(other)?.likeness ?? 0).toBeLessThan(0.3);
});

/** The same, said plainly: everything is compared with everything, and nothing is kept. */
function slowly(known: readonly Work[], work: Work, python: boolean): SimilarityResult | null {
  const tokens = (source: string) => tokensOf(source, python);
  const fingerprint = fingerprintOf(tokens(work.source));
  const same = known.find(({ source }) => fingerprintOf(tokens(source)) === fingerprint);
  if (same) return { id: same.id, likeness: 1 };
  const parent = known.find(({ id }) => id === work.parents[0]);
  const names = namesIn(parent ? tokens(parent.source) : []);
  const runs = (source: string) => runsOf(tokens(source), names);
  const base = parent ? runs(parent.source) : new Set<Run>();
  const change = (source: string) => ({
    added: [...runs(source)].filter((run) => !base.has(run)),
    removed: [...base].filter((run) => !runs(source).has(run)),
  });
  const own = change(work.source);
  let nearest: SimilarityResult | null = null;
  for (const { id, source } of known.filter(({ parents }) => parents[0] === work.parents[0])) {
    const other = change(source);
    const likeness =
      own.added.length + own.removed.length === 0
        ? 0
        : Math.min(jaccard(own.added, other.added), jaccard(own.removed, other.removed));
    if (likeness > (nearest?.likeness ?? 0)) nearest = { id, likeness };
  }
  return nearest;
}

function jaccard(one: readonly Run[], other: readonly Run[]): number {
  const all = new Set([...one, ...other]).size;
  return all === 0 ? 1 : one.filter((run) => other.includes(run)).length / all;
}

/** Few lines and few words, so that much is nearly the same. */
const lines = [
  ...[
    'a = b + 1;',
    'a = b + 2;',
    'c = a * b;',
    'use(a, b);',
    'use(b, a);',
    'int fresh = a;',
    'int other = a;',
  ],
  ...['fresh += 2;', 'other += 2;', 'c = a * b;', '// c', 'for (;;) { a++; }', 'print(c);', 'c = 3;'],
];

const textOf = (program: readonly number[]): string => program.map((each) => lines[each]).join('\n');

test('what is kept finds what a comparison with everything finds', () => {
  const line = integer({ min: 0, max: lines.length - 1 });
  const step = record({
    from: constantFrom(-1, -1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2),
    kept: integer({ min: 4, max: 24 }),
    drops: array(integer({ min: 0, max: 12 }), { maxLength: 2 }),
    puts: array(tuple(integer({ min: 0, max: 12 }), line), { maxLength: 2 }),
    isWhole: boolean(),
    isAdded: constantFrom(true, true, true, false),
  });
  const seen = { same: 0, alike: 0, unlike: 0 };
  assert(
    property(
      array(line, { minLength: 4, maxLength: 12 }),
      array(step, { minLength: 2, maxLength: 30 }),
      boolean(),
      (first, steps, python) => {
        const novelty = new Novelty(python ? 'python' : 'cpp');
        const programs = new Map([['p0', first]]);
        const known: Work[] = [{ id: 'p0', source: textOf(first), parents: [] }];
        for (const work of known) novelty.add(work);
        for (const [at, { from, kept, drops, puts, isWhole, isAdded }] of steps.entries()) {
          const [parentId = ''] = from < 0 ? [] : [known[from % known.length]?.id];
          const parent = programs.get(parentId) ?? first;
          const rest = isWhole ? [] : parent.slice(0, kept).filter((_, place) => !drops.includes(place));
          const createdCount = puts.reduce((program, [place, put]) => program.toSpliced(place, 0, put), rest);
          const work = {
            id: `p${at + 1}`,
            source: textOf(createdCount),
            parents: from < 0 ? [] : [parentId],
          };
          const found = slowly(known, work, python);
          expect(novelty.nearest(work)).toEqual(found);
          seen[found?.likeness === 1 ? 'same' : found ? 'alike' : 'unlike'] += 1;
          if (!isAdded) continue;
          programs.set(work.id, createdCount);
          novelty.add(work);
          known.push(work);
        }
      },
    ),
    { seed: 12, numRuns: 120 },
  );
  // Not because there was nothing to find.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
});
