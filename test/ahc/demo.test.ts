/** `polya demo ahc`: from a contest's page to the comparison of two programs, with the commands themselves. */
import { readdirSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';

/** The official tools are built once for both. */
const { env } = newPlace();
const placeWithTools = () => ({ ...newPlace(), env });

test('the demo makes a workspace, tests two programs and compares them', { timeout: 400_000 }, async () => {
  const place = placeWithTools();
  const { code, out, err } = await polya(place, ['demo', 'ahc']);
  expect([code, err]).toEqual([0, expect.stringContaining('No model is asked')]);
  expect(err).toContain('$ ./polya ahc init polya001');
  expect(err).toContain('asking 127.0.0.1:');
  expect(out).toContain('A - Lantern Garden');
  expect(out).toMatch(/10 won, 0 lost/);
  expect(out).toContain('What to try next:\n  ./polya ahc init polya001');
  // All of it was elsewhere, and is gone.
  expect(readdirSync(place.folder)).toEqual([]);
});

test('as JSON it is one document of what each command said; one that fails ends it', async () => {
  const place = newPlace();
  // There is no engine: the tools cannot be built, which `init` says, and all else of it is done.
  Object.assign(place.env, { DOCKER_HOST: `unix://${place.folder}/nowhere.sock` });
  const { code, out, err } = await polya(place, ['demo', 'ahc', '--json', '--backend', 'docker']);
  const { demo, label, steps } = JSON.parse(out);
  expect([code, demo, label]).toEqual([3, 'ahc', expect.stringContaining('No model is asked')]);
  expect(steps).toEqual([
    {
      command: 'init polya001',
      exitCode: 3,
      result: expect.objectContaining({ id: 'polya001', languages: ['ja', 'en'], tools: { built: false } }),
    },
  ]);
  expect(steps[0].result.troubles[0].what).toContain('The tools could not be built');
  expect(err).toContain('$ ./polya ahc init polya001');
  expect(readdirSync(place.folder)).toEqual([]);
});

test('a program evolves live: the script proposes what is good, bad, broken and of no use, and each is told', {
  timeout: 400_000,
}, async () => {
  const place = placeWithTools();
  const { code, ...told } = await polya(place, ['demo', 'evolution'], { isTerminal: true });
  const [out = '', err = ''] = [told.out, told.err].map(stripVTControlCharacters);
  expect(code).toBe(0);
  expect(err).toContain('The model is a SCRIPT: its replies were written ahead');
  const fates = [...err.matchAll(/ (?<id>gen01_id\d\d), \w+ of \w+: (?<fate>[a-z ]+)/g)].map(({ groups }) => [
    groups?.id,
    groups?.fate?.trim(),
  ]);
  // Which parent a change is made to is a matter of chance: one of the weaker is dropped where the better would have led.
  const either = expect.stringMatching(/^(?:score|dropped after)$/);
  expect(fates).toEqual([
    ['gen01_id01', 'score'],
    ['gen01_id02', either],
    ['gen01_id03', 'does not compile'],
    ['gen01_id04', either],
    ['gen01_id05', 'dropped after'],
    ['gen01_id06', 'not evaluated'],
  ]);
  // The change that did not match was sent again, and matched.
  expect(err.match(/gen01_id02\] \(\d lines/g)).toHaveLength(2);
  const scores = [...err.matchAll(/BEST \S+, score (?<score>\d+)/g)].map(({ groups }) =>
    Number(groups?.score),
  );
  // The template of the workspace may score nothing, or 0.
  const [first = 0, ...later] = scores.filter((score) => score > 0);
  expect(Math.max(...later)).toBeGreaterThan(3 * first);
  expect(out).toContain('Session demo, polya001 (maximise, absolute): completed');
  expect(out).toContain('scripted/ahc-lanterns (script: replies written ahead, no model was asked)');
  // It scrolled hundreds of lines of source.
  expect(err).toMatch(/\d+ lines of a program or of data/);
  expect(err).not.toMatch(/#include|\{"title"|evaluate-start|int main/);
  // Its folder is gone: no file in it is named.
  expect(out + err).not.toContain('polya-demo-');
  expect(readdirSync(place.folder)).toEqual([]);
});

test('a dialogue with the judge is shown like the other contest', { timeout: 400_000 }, async () => {
  const { code, out } = await polya(placeWithTools(), ['demo', 'dialogue', '--json']);
  const { demo, steps } = JSON.parse(out);
  expect([code, demo]).toEqual([0, 'dialogue']);
  expect(steps.map(({ command }: { command: string }) => command)).toEqual([
    'init polya003',
    'test weak.cpp --cases 0-9',
    'test good.cpp --cases 0-9 --vs last',
  ]);
  expect(steps[0].result).toMatchObject({ contest: { isInteractive: { value: true } } });
});
