/**
 * Comparing answers: checks a second over the cases of Math-Verify and over the gold answers of MATH-500, the slowest
 * of them, what a proof by the algebra library costs, and what is paid before the first. The floor of a check is the
 * comparison of two strings after trimming, which is what graders without mathematics do.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Answers, type Case, checkCases, extract, openAnswers } from '../src/answers/index.ts';
import { readCases } from '../src/apps/qa/answer-cases.ts';
import { sharedFile, sharedLines } from '../test/support/shared-data.ts';
import { type Bench, contest, median, type Row, timed, timedEach } from './measure.ts';

const root = join(import.meta.dirname, '..');

export const answers: Bench = {
  name: 'answers',
  async run() {
    const opened = await openAnswers();
    const cases = readCases(sharedFile('answer-equivalence/cases.jsonl'));
    return [
      ...(await aCheck(opened, cases)),
      await theSlowest(opened, cases),
      await aPair(opened),
      await aProof(opened),
      await anExtraction(),
      ...coldRows(),
    ];
  },
};

async function aCheck(opened: Answers, cases: readonly Case[]): Promise<Row[]> {
  const bare = () => cases.filter(({ gold, answer }) => gold.trim() === answer.trim()).length;
  const found = await contest({
    ours: () => timedEach(cases.length, () => checkCases(cases, opened)),
    floor: () => timedEach(cases.length, bare),
    rounds: 7,
  });
  const what = 'a case of Math-Verify: two extractions, one verdict';
  return [
    { what, unit: 'µs', against: 'trimmed strings', aim: null, ...found },
    alone('… checks a second', '/s', 1e6 / found.measured),
  ];
}

async function theSlowest(opened: Answers, cases: readonly Case[]): Promise<Row> {
  const times: number[] = [];
  for (const each of cases) {
    const tries: number[] = [];
    for (let round = 0; round < 3; round += 1) tries.push(await timed(() => checkCases([each], opened)));
    times.push(median(tries));
  }
  return alone('… the slowest of them', 'ms', Math.max(...times));
}

async function aPair(opened: Answers): Promise<Row> {
  const golds = (sharedLines('math500/test-first-250.jsonl') as { answer: string }[]).map(
    ({ answer }) => answer,
  );
  const each = () => {
    for (const [at, gold] of golds.entries()) opened.equal(gold, golds[(at + 1) % golds.length] ?? '');
  };
  each();
  return alone('a pair of gold answers of MATH-500', 'µs', await timedEach(golds.length, each));
}

async function aProof(opened: Answers): Promise<Row> {
  const pairs = [
    ['\\sqrt{3+2\\sqrt2}', '1+\\sqrt2'],
    ['\\cos 2x', '1-2\\sin^2 x'],
    ['\\frac{28\\sqrt{50}}{36\\sqrt{21}}', '\\frac{5\\sqrt{42}}{27}'],
    ['\\sin 18^\\circ', '\\frac{\\sqrt5-1}{4}'],
  ] as const;
  const each = () => {
    for (const [gold, reply] of pairs) opened.equal(gold, reply);
  };
  each();
  return alone('a pair that needs the algebra library', 'ms', (await timedEach(pairs.length, each)) / 1_000);
}

async function anExtraction(): Promise<Row> {
  const reply = `${'We look at the numbers one by one, $x = 3$ and so on. '.repeat(400)}So it is \\boxed{42}.`;
  return alone(
    'the answer in a reply of 20 KB',
    'µs',
    await timedEach(200, () => repeat(200, () => extract(reply))),
  );
}

function repeat(times: number, work: () => unknown): void {
  for (let at = 0; at < times; at += 1) work();
}

/** In processes of their own, which have done nothing before; the median of five. */
function coldRows(): Row[] {
  const entry = JSON.stringify(join(root, 'src', 'answers', 'index.ts'));
  const inProcess = (code: string) => {
    const times = [1, 2, 3, 4, 5].map(() => {
      const source = `const t = performance.now(); ${code}; console.log(performance.now() - t)`;
      return Number(
        spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' }).stdout,
      );
    });
    return median(times);
  };
  return [
    alone('import of polya/answers, cold', 'ms', inProcess(`await import(${entry})`)),
    alone('… and a first comparison', 'ms', inProcess(`await (await import(${entry})).equal('1/2', '0.5')`)),
    alone(
      '… and one that needs the algebra library',
      'ms',
      inProcess(`await (await import(${entry})).equal('\\\\sqrt{8}', '2\\\\sqrt2')`),
    ),
  ];
}

function alone(what: string, unit: string, measured: number): Row {
  return { what, unit, measured, floor: null, against: '', ratio: null, aim: null };
}
