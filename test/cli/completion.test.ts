/** What a shell is offered for a word that was begun; and that a real bash takes it. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { launcher } from './process.ts';
import { ahcAgent, newPlace, type Place, polya } from './shell.ts';

const offers = async (place: Place, ...words: string[]) =>
  (await polya(place, ['complete-words', ...words])).out.split('\n').slice(0, -1);

test('commands, options and their values', async () => {
  const place = newPlace();
  expect(await offers(place, 'ru')).toEqual(['run', 'run-set', 'runs']);
  expect(await offers(place, '')).toEqual(expect.arrayContaining(['aoc', 'demo', 'help', '--version']));
  expect(await offers(place, 'runs', 's')).toEqual(['show', 'stop']);
  expect(await offers(place, 'runs', 'list', '--s')).toEqual(['--set', '--since', '--sort', '--store']);
  expect(await offers(place, 'runs', 'list', '--sort', '')).toEqual(['begun', 'cost', 'time', 'tokens']);
  expect(await offers(place, 'completion', 'f')).toEqual(['fish']);
  expect(await offers(place, 'ask', 'Why?', '--model', 'ant')).toEqual(['anthropic/']);
  expect(await offers(place, 'ask', 'Why?', '--budget', '')).toEqual([]);
  expect(await offers(place, 'nothing', 'like', 'it')).toEqual([]);
  const { out } = await ahcAgent(place, ['complete-words', 'his']);
  expect(out).toBe('history\n');
});

test('runs, run-sets and the models of earlier runs; in a real bash', async () => {
  const place = newPlace();
  writeFileSync(join(place.folder, 's.yaml'), 'roles: { solver: [{ text: "1", repeat: true }] }\n');
  const { out } = await polya(place, ['ask', 'One?', '--model', 'scripted:s.yaml', '--json']);
  const { id } = JSON.parse(out);
  expect(await offers(place, 'runs', 'show', '')).toEqual(expect.arrayContaining([id, 'last']));
  expect(await offers(place, 'resume', id.slice(0, 4))).toEqual([id]);
  expect(await offers(place, 'run-set', 'show', id.slice(0, 4))).toEqual([]);
  expect(await offers(place, 'ask', 'x', '--model', 'scripted:')).toContain(
    `scripted:${join(place.folder, 's.yaml')}`,
  );
  const script = (await polya(place, ['completion', 'bash'])).out;
  const typed = `${script}
COMP_WORDS=(polya runs show ${id.slice(0, 6)}); COMP_CWORD=3; _polya; echo "\${COMPREPLY[@]}"`;
  const env = { ...place.env, PATH: `${dirname(launcher)}:${process.env.PATH}` };
  const told = execFileSync('bash', ['-c', typed], { cwd: place.folder, env, encoding: 'utf8' });
  expect(told).toBe(`${id}\n`);
});

test('a shell that is not known is told', async () => {
  expect(await polya(newPlace(), ['completion', 'tcsh'])).toMatchObject({ code: 2, out: '' });
});
