/** What `polya doctor --clean` removes: what the dead left and what nobody uses, each told, and nothing else. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanMachine } from '../../src/sandbox/clean.ts';
import { ownerName } from '../../src/sandbox/owner.ts';
import { stage } from '../../src/sandbox/staging.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isRoot } from './elsewhere.ts';

const day = 24 * 3_600_000;
const uid = process.getuid?.() ?? 0;

async function staged(): Promise<{ parent: string; folder: string }> {
  const parent = temporaryFolder('clean');
  chmodSync(parent, 0o755);
  const folder = join(parent, `polya-${uid}`);
  mkdirSync(folder, { mode: 0o711 });
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  await stage(folder, arch);
  return { parent, folder };
}

function make(folder: string, path: string, ageDays: number): void {
  const whole = join(folder, path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, 'x');
  const then = new Date(Date.now() - ageDays * day);
  utimesSync(whole, then, then);
  if (path.includes('/')) utimesSync(join(whole, '..'), then, then);
}

/** A process that is certainly gone. */
function deadOwner(): string {
  const { pid } = spawnSync('true');
  return `${pid}-1`;
}

test('leftovers, other versions and what is old, told first and removed then; what is used stays', async () => {
  const { parent, folder } = await staged();
  make(folder, 'runner-0123456789abcdef', 0);
  make(folder, 'kotlin-1.0/compiler.jar', 40);
  make(folder, 'compiled/old', 31);
  make(folder, 'compiled/young', 29);
  make(folder, 'answers/older', 400);
  make(folder, 'note-of-somebody-else', 400);
  const dead = `cells/${deadOwner()}-1`;
  make(folder, `${dead}/word`, 0);
  make(folder, `cells/${ownerName()}-1/word`, 0);
  if (isRoot) {
    symlinkSync(deadOwner(), join(folder, 'slots', '61000'));
    symlinkSync(ownerName(), join(folder, 'slots', '61001'));
  }
  const before = listing(folder);
  const options = { stagingParents: [parent, '/nonexistent'] };
  const told = await ours(folder, { ...options, isDryRun: true });
  expect(told).toEqual(
    [
      'cache answers/older',
      'cache compiled/old',
      `folder ${dead}`,
      'staged file kotlin-1.0',
      'staged file runner-0123456789abcdef',
      ...(isRoot ? ['user slots/61000'] : []),
    ].sort(),
  );
  expect(listing(folder)).toEqual(before);
  expect(await ours(folder, options)).toEqual(told);
  expect(await ours(folder, options)).toEqual([]);
  const left = listing(folder);
  expect(left).toEqual(expect.arrayContaining(['compiled', 'note-of-somebody-else', 'slots']));
  expect(left.filter((name) => /^runner-/.test(name))).toHaveLength(1);
  expect(readdirSync(join(folder, 'compiled'))).toEqual(['young']);
  expect(readdirSync(join(folder, 'cells'))).toEqual([`${ownerName()}-1`]);
  if (isRoot) expect(readdirSync(join(folder, 'slots'))).toEqual(['61001']);
});

test('where nothing was ever staged, nothing is made', async () => {
  const parent = temporaryFolder('clean');
  await cleanMachine({ stagingParents: [parent], isDryRun: true });
  expect(existsSync(join(parent, `polya-${uid}`))).toBe(false);
});

function listing(folder: string): readonly string[] {
  return readdirSync(folder).sort();
}

/** Control groups and processes are the whole machine's, and others may have left some just now. */
async function ours(folder: string, options: Parameters<typeof cleanMachine>[0]): Promise<readonly string[]> {
  const removed = await cleanMachine(options);
  return removed
    .filter(({ name }) => name.startsWith(folder))
    .map(({ kind, name }) => `${kind} ${name.slice(folder.length + 1)}`)
    .sort();
}
