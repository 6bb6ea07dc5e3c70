/** `polya resume`: one word for going on, whatever it is that was left. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, hasCalled, start, until } from './process.ts';
import { day1, newPlace, polya, stallingScript } from './shell.ts';

test('a run that was killed is gone on with, with the options of the command that does it', async () => {
  const place = newPlace();
  const script = stallingScript(place, 2);
  const run = start(place, [...day1, '--model', script.model]);
  const { id } = await until(place, hasCalled('RunGeneratedCode'));
  run.child.kill('SIGKILL');
  await run.ended;
  script.goesOn();
  const dry = await call(place, ['resume', '--dry-run', '--json']);
  expect(JSON.parse(dry.out)).toMatchObject({ dryRun: true });
  const wrong = await call(place, ['resume', id, '--dry-rnu']);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean --dry-run?') });
  expect(await call(place, ['resume', id.slice(-4)])).toMatchObject({ code: 0 });
  expect(await call(place, ['resume'])).toMatchObject({ code: 2, err: expect.stringContaining('ended') });
});

test('a set is gone on with by its id and by its newest run; what is nothing is told', async () => {
  const place = newPlace();
  const set = {
    name: 'two',
    budget: { tokens: 10 },
    defaults: { family: 'plain', agent: 'single-call', models: 'scripted:s.yaml' },
    rows: [{ problem: { text: 'One?' } }, { problem: { text: 'Two?' } }],
  };
  writeFileSync(join(place.folder, 's.yaml'), 'roles: { solver: [{ text: "1", repeat: true }] }\n');
  writeFileSync(join(place.folder, 'set.yaml'), JSON.stringify(set));
  await polya(place, ['run-set', 'run', 'set.yaml']);
  const { sets } = JSON.parse((await polya(place, ['run-set', 'list', '--json'])).out);
  for (const name of [sets[0].id, 'last']) {
    const { out } = await polya(place, ['resume', name, '--max-tokens', '100000', '--dry-run']);
    expect(out, name).toMatch(/^Dry run/);
  }
  expect(await polya(place, ['resume', 'nothing'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/no run, run-set or session nothing/),
  });
  expect(await polya(newPlace(), ['resume'])).toMatchObject({ code: 2 });
});
