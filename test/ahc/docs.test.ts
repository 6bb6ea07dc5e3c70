/** docs/ahc.md tells every key as the table of keys has it. `POLYA_GOLDEN=update` writes the page anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ahcProgram } from '../../src/apps/all.ts';
import { configKeys } from '../../src/families/ahc/config/keys.ts';
import { reservedNames } from '../../src/families/ahc/layout.ts';

const file = join(import.meta.dirname, '../../docs/ahc.md');
const page = readFileSync(file, 'utf8');

function keysTable(): string {
  const rows = configKeys.map(({ path, initial, about }) => {
    const value = initial === null ? '' : `\`${JSON.stringify(initial).replaceAll('"', '')}\``;
    return `| \`${path}\` | ${value} | ${about.replaceAll('|', '\\|')} |`;
  });
  return `| key | built in | what it does |\n|---|---|---|\n${rows.join('\n')}\n`;
}

test('every key stands in the page, with its built-in value', () => {
  const between = /(<!-- keys: [^>]*-->\n)([\s\S]*?)(<!-- end of keys -->)/;
  const made = page.replace(between, (_whole, start: string, _old, end: string) => start + keysTable() + end);
  if (process.env.POLYA_GOLDEN === 'update') writeFileSync(file, made);
  else expect(page).toBe(made);
  expect(made).toContain('| `docker.execution_timeout` | `10` |');
});

test('every command and every reserved name stands in the page', () => {
  for (const { path } of ahcProgram.commands) expect(page).toContain(`\`${path}`);
  for (const name of reservedNames) expect(page).toContain(`\`${name}\``);
});
