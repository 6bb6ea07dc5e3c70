/** What is shown beside a command, an option, an argument, a key of a configuration is never empty. */
import { expect, test } from 'vitest';
import { apps } from '../../src/apps/all.ts';
import { polyaProgram } from '../../src/cli/commands.ts';
import { configKeys } from '../../src/families/ahc/config/keys.ts';
import { newPlace, polya } from '../cli/shell.ts';

const { commands, groups } = polyaProgram(apps);

/** Lines of a help that name something and say nothing of it: the text stands behind two spaces, or on the next line. */
function silentIn(help: string): readonly string[] {
  const lines = help.replace(/\n\S[^\n]*:?\n(?: {2}polya[^\n]*\n)+/g, '\n').split('\n');
  return lines.filter((line, at) => {
    const isEntry = /^ {2}(?:-|[<\w])/.test(line) && /^ {2}\S.*? {2,}|^ {2}-/.test(line);
    return isEntry && !/^ {2}\S.*? {2,}\S/.test(line) && !/^ {4,}\S/.test(lines[at + 1] ?? '');
  });
}

test('every command, option and argument has a text', async () => {
  const silent: string[] = [...Object.entries(groups), ...commands.map(({ path, about }) => [path, about])]
    .filter(([, about]) => !about)
    .map(([name]) => name ?? '');
  const place = newPlace();
  for (const { path } of commands) {
    const { out } = await polya(place, [...path.split(' '), '--help']);
    expect(out, path).toContain('Options:');
    silent.push(...silentIn(out).map((line) => `${path}: ${line.trim()}`));
  }
  expect(silent).toEqual([]);
});

test('every setting of an agent and every field of a problem has a text', async () => {
  type Field = { name: string; description: string };
  const list = async (command: string) => JSON.parse((await polya(newPlace(), [command, '--json'])).out);
  const agents: { name: string; settings: Field[] }[] = await list('agents');
  const families: { name: string; problem: Field[][] }[] = await list('families');
  const fields = [
    ...agents.flatMap(({ name, settings }) => settings.map((each) => ({ ...each, of: name }))),
    ...families.flatMap(({ name, problem }) => problem.flat().map((each) => ({ ...each, of: name }))),
  ];
  expect(fields.length).toBeGreaterThan(150);
  expect(
    fields.filter(({ description }) => description === '').map(({ of, name }) => `${of}.${name}`),
  ).toEqual([]);
});

test('every key of the configuration has a text', () => {
  expect(configKeys.filter(({ about }) => about === '').map(({ path }) => path)).toEqual([]);
});

test('a line without a text is found', () => {
  expect(silentIn('Options:\n  --one <n>   says one\n  --two <n>\n  --three\n     says three\n')).toEqual([
    '  --two <n>',
  ]);
});
