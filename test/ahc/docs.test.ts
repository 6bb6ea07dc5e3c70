/** docs/ahc.md names every command and every reserved name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ahcProgram } from '../../src/apps/all.ts';
import { reservedNames } from '../../src/families/ahc/layout.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/ahc.md'), 'utf8');

test('every command and every reserved name stands in the page', () => {
  for (const { path } of ahcProgram.commands) expect(page).toContain(`\`${path}`);
  for (const name of reservedNames) expect(page).toContain(`\`${name}\``);
});
