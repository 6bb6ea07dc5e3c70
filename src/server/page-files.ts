/** Where the page's files are: in the package beside us, in a clone in the user's cache, built when its sources change. */
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError } from '../core/errors.ts';

const sources = join(import.meta.dirname, '..');
const root = join(sources, '..');

/** The rooms that the page is made of. */
const rooms = '{web,core,text,notes,grids}/**/*';

/** Throws `UnavailableError` where it has to be built and cannot be. */
export function pageFolder(cache: string): string {
  const packaged = join(sources, 'web');
  if (existsSync(join(packaged, 'page.js'))) return packaged;
  const folder = join(cache, 'page', markOfSources());
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${randomUUID()}`;
  mkdirSync(join(cache, 'page'), { recursive: true });
  const script = join(root, 'scripts', 'page.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, draft], { encoding: 'utf8' });
  if (status !== 0) throw notBuilt(stderr);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process has built the same.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function markOfSources(): string {
  const hash = createHash('sha256');
  for (const name of globSync(rooms, { cwd: sources }).toSorted()) {
    const { mtimeMs, size, ino } = statSync(join(sources, name));
    hash.update(`${name} ${mtimeMs} ${size} ${ino}\n`);
  }
  hash.update(String(statSync(join(root, 'package-lock.json')).mtimeMs));
  return hash.digest('hex').slice(0, 16);
}

function notBuilt(stderr: string): UnavailableError {
  const [first = ''] = stderr.trim().split('\n');
  return new UnavailableError({
    code: 'page-not-built',
    what: 'The page could not be built.',
    why: /Cannot find package/.test(stderr) ? 'What builds it is not installed.' : first,
    fix: 'Run `npm ci` in the clone; `npm ci --omit=dev` leaves out what builds the page.',
  });
}
