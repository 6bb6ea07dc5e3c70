/** Whatever a command says of a run that has answered, the answer is in it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saying } from '../server/browser.ts';
import { newPlace, polya } from './shell.ts';

const answer = '4711';
const place = newPlace();
const model = saying(place, 'script', answer);
const set = join(place.folder, 'set.yaml');
const rows = [{ problem: { question: 'Which number is it?', answer } }];
const defaults = { family: 'qa', agent: 'single-call', models: model };
writeFileSync(set, JSON.stringify({ name: 'One question', defaults, rows }));

test.each([
  ['ask', 'Which number?', '--model', model, '-q'],
  ['ask', 'Which number?', '--model', model, '--json'],
  ['qa', 'ask', 'Which number?', '--agent', 'single-call', '--model', model, '-q'],
  ['qa', 'ask', 'Which number?', '--agent', 'single-call', '--model', model, '--json'],
  ['runs', 'list'],
  ['runs', 'list', '--json'],
  ['runs', 'show', 'last'],
  ['runs', 'show', 'last', '--json'],
  ['runs', 'watch', 'last'],
  ['runs', 'export', 'last', '--format', 'md'],
  ['runs', 'export', 'last', '--format', 'json'],
  ['run-set', 'run', set, '-q'],
  ['run-set', 'run', set, '--json'],
  ['run-set', 'show', 'last'],
  ['run-set', 'show', 'last', '--json'],
  ['run-set', 'show', 'last', '--csv'],
])('polya %s %s %s', async (...words) => {
  const { out, err } = await polya(place, words);
  expect(out, err).toContain(answer);
});

test('the line of its end has one full stop', async () => {
  const { err } = await polya(place, ['ask', 'Why?', '--model', saying(place, 'sentence', 'It is so.')]);
  expect(err).toMatch(/answered: It is so\.\s/);
});
