/** `polya doctor --report`: what may be shown to all. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace, polya } from './shell.ts';

test('a report for a bug holds versions, and no value of a secret, no home, nothing that was asked', async () => {
  const place = newPlace();
  const secret = 'sk-very-secret-0123456789';
  const env = { ...place.env, OPENAI_API_KEY: secret, POLYA_PRICES: '/somewhere/else.yaml' };
  writeFileSync(join(place.folder, '.env'), `ANTHROPIC_API_KEY=${secret}-too\n`);
  const script = join(place.folder, 'r.json');
  writeFileSync(script, JSON.stringify({ roles: { solver: { '': [{ text: 'my answer' }] } } }));
  await polya(place, ['ask', 'my question', '--model', `scripted:${script}`]);
  const { code, out } = await polya({ ...place, env }, ['doctor', '--report']);
  expect(code).toBe(0);
  for (const said of [
    'polya',
    `Node ${process.version}`,
    process.arch,
    'agent single-call',
    'ended as answered',
  ])
    expect(out).toContain(said);
  for (const hidden of [secret, 'my question', 'my answer', place.env.HOME, 'somewhere', '\x1b['])
    expect(out).not.toContain(hidden);
  const json = await polya({ ...place, env }, ['doctor', '--report', '--json']);
  expect(JSON.parse(json.out)).toEqual({ report: expect.stringContaining('## System') });
});
