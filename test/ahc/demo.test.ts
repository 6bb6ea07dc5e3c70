/** `polya demo ahc`: from a contest's page to the comparison of two programs, with the commands themselves. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newPlace, polya } from '../cli/shell.ts';

test('the demo makes a workspace, tests two programs and compares them', { timeout: 400_000 }, async () => {
  const place = newPlace();
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
