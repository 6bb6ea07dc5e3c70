/** Commands on a terminal, over a run whose question, replies and names are hostile: only colours of our own reach it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';
import { typed } from '../support/typed.ts';
import { hostileTexts } from './texts.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: those of our own.
const ours = /\r?\x1b\[(?:\d+m|1A|2K)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals obey, or what turns a text around.
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const steering = ['\u001b[2J\u001b]0;x\u0007', '\u009b31m', '\u202eabc\u2066', 'a\rb', '\u0000\u0008'];
const text = [...steering, ...hostileTexts].join('\n').toWellFormed();

test('what commands tell of a hostile run steers no terminal', async () => {
  const here = newPlace();
  const call = async (argv: readonly string[]) => {
    const { code, out, err } = await polya(here, argv, { isTerminal: true });
    for (const told of [out, err])
      expect(obeyed.exec(told.replaceAll(ours, ''))?.[0].charCodeAt(0).toString(16), argv.join(' ')).toBe(
        undefined,
      );
    return { code, out, err };
  };
  const reply = (content: string) => ({ text: content.slice(0, 60_000) });
  const replies = [reply(text), reply(`The answer is \\boxed{${text}}`), reply(text)];
  writeFileSync(join(here.folder, 'script.json'), JSON.stringify({ roles: { solver: { '': replies } } }));
  const model = ['--model', 'scripted:script.json'];
  const { out: asked } = await call(['ask', text.slice(0, 20_000), ...model, '--json']);
  const id = /"(?:id|run)": "([^"]+)"/.exec(asked)?.[1] ?? '';
  expect(id).not.toBe('');
  const failed: string[] = [];
  await call(['ask', text.slice(0, 20_000), ...model]);
  for (const argv of [
    ...[[], ['--json'], ['--full'], ['--event', '3']].map((more) => ['runs', 'show', id, ...more]),
    ...[[], ['--json']].flatMap((more) => [
      ['runs', 'list', ...more],
      ['runs', 'replay', id, ...more],
      ['runs', 'watch', id, ...more],
      ['runs', 'diff', id, 'last', ...more],
      ['cost', ...more],
      ['cost', id, ...more],
    ]),
    ...['json', 'md', 'files'].map(
      (format) => typed`runs export ${id} --format ${format} --out ${format}.out`,
    ),
    ...steering.flatMap((word) => [
      ['runs', 'show', word],
      ['runs', 'list', `--${word}`],
      ['ask', word, '--model', word],
      ['proof', 'show', word],
      ['arc', 'show', word],
      ['qa', 'score', word],
      ['aoc', 'run', '--year', word],
      [word],
    ]),
    ...['json', 'md'].map((format) => ['runs', 'export', id, '--format', format]),
    ['proof', 'show', id],
    ['arc', 'show', id],
  ]) {
    const { code, out, err } = await call(argv);
    if (argv.includes(id) && argv[0] === 'runs' && !argv.includes('diff') && code !== 0)
      failed.push([...argv, code, err || out].join(' '));
  }
  expect(failed).toEqual([]);
});
