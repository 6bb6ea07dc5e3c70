/** Reports, logs and tables of whole runs of questions and grids, in which every text is hostile. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { metricsCsv } from '../../src/families/aoc/metrics.ts';
import { unpacked } from '../before/fixture.ts';
import { polya } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { typed } from '../support/typed.ts';
import { hostileTexts } from './texts.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const hostile = hostileTexts.map((text) => text.toWellFormed());
const all = hostile.join('\n');

function expectCells(csv: string): void {
  const rows: readonly string[][] = parse(csv);
  expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  for (const cell of rows.flat())
    expect(cell).not.toMatch(/^(?:[\t\r\n]|\s*[=@＝＠]|\s*[+\-＋－](?![\d.,]*%?$))/);
}

const expectNotObeyed = (told: string, what: string) =>
  expect([what, obeyed.exec(told)?.[0].charCodeAt(0).toString(16)]).toEqual([what, undefined]);

const place = (folder: string) => ({
  folder,
  env: { HOME: temporaryFolder('home'), PATH: process.env.PATH ?? '', POLYA_TRUST: '1' },
});

/** Before each text of a script; grids stay grids. */
function poisoned(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => poisoned(each, key));
  if (typeof value === 'string') return /^(?:grid|program|code|text)$/.test(key) ? value : `${value} ${all}`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned(inner, name)]));
}

test('questions: reports, CSV and JSON', async () => {
  const folder = temporaryFolder('questions');
  const questions = hostile.slice(0, 60).map((text, at) => ({
    id: `${at}${text}`,
    question: text || 'x',
    answer: at % 2 ? text || 'x' : '7',
    type: text,
  }));
  writeFileSync(join(folder, 'q.jsonl'), questions.map((each) => JSON.stringify(each)).join('\n'));
  const replies = hostile.map((text) => ({ text: `${text}\nThe answer is ${text || '7'}` }));
  writeFileSync(
    join(folder, 's.json'),
    JSON.stringify({
      roles: {
        solver: replies.slice(0, 1).map((each) => ({
          ...each,
          text: `${all.slice(0, 8_000)}\nThe answer is \\boxed{${all.slice(0, 500)}}`,
          repeat: true,
        })),
      },
    }),
  );
  const here = place(folder);
  const ran = await polya(here, ['qa', 'run', 'q.jsonl', '--model', 'scripted:s.json']);
  expect(ran.code, ran.err).toBeLessThan(2);
  expectNotObeyed(ran.out + ran.err, 'qa run');
  for (const argv of [
    ['qa', 'score', 'last'],
    ['run-set', 'show', 'last'],
  ])
    for (const more of [[], ['--json'], ['--csv']]) {
      const { code, out, err } = await polya(here, [...argv, ...more], { isTerminal: more.length === 0 });
      expect(code, err).toBeLessThan(2);
      // Colours of our own.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
      if (!more.includes('--csv')) expectNotObeyed(out.replaceAll(/\x1b\[\d+m/g, ''), argv.join(' '));
      if (more.includes('--csv')) expectCells(out);
    }
});

test('grids: the report, its JSON, the log and the names of files', async () => {
  const folder = unpacked('induction-graph', 'whole');
  const tasks: Record<string, unknown> = JSON.parse(
    readFileSync(join(folder, 'tasks_challenges.json'), 'utf8'),
  );
  const ids = ['../../escaped', '\u001b[2J\u202e', '=1+1', '<script>window.pwned=1</script>'];
  writeFileSync(
    join(folder, 't.json'),
    JSON.stringify(Object.fromEntries(ids.map((id) => [id, tasks.mirror]))),
  );
  writeFileSync(
    join(folder, 's.json'),
    JSON.stringify(poisoned(parseYaml(readFileSync(join(folder, 'script.yaml'), 'utf8')))),
  );
  const here = place(folder);
  const before = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const more of [[], ['--json']]) {
    const { code, out, err } = await polya(
      here,
      typed`
      arc run --task-file t.json --model scripted:s.json --out out${more.length} ${more}`,
    );
    expect(code, err).toBeLessThan(2);
    expectNotObeyed(out + err, 'arc run');
  }
  const made = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !before.includes(path),
  );
  expect(made.filter((path) => !/^(?:\.polya|out\d)(?:\/[\w.-]+)?$/.test(path))).toEqual([]);
  const logs = made.filter((path) => path.endsWith('.log'));
  expect(logs.length).toBeGreaterThan(0);
  for (const log of logs) expectNotObeyed(readFileSync(join(folder, log), 'utf8'), log);
  for (const id of ids) {
    const { out, err } = await polya(here, ['arc', 'show', id, '--task-file', 't.json']);
    expectNotObeyed(out + err, 'arc show');
  }
});

test('the table of the metrics of puzzles has no cell that is a formula', () => {
  for (const text of hostile) {
    const failure = { kind: text, said: text };
    const run = {
      run_id: text,
      site: text,
      lang: text,
      model: text,
      outcome: text,
      last_failure_part1: failure,
    };
    expectCells(metricsCsv([{ ...run, tool_call_counts_part1: { [text]: 1 } } as never]));
  }
});
