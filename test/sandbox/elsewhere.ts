/**
 * Runs a program against the sandbox from another place: a copy of the sources in a folder of its own, as another
 * user, or on a machine that lacks something. The copy holds only what the sandbox may import.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts';
import { findTools } from '../../src/sandbox/languages/languages.ts';
import { stage } from '../../src/sandbox/staging.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const repository = join(import.meta.dirname, '../..');
export const isRoot = process.getuid?.() === 0;
const run = promisify(execFile);

export type Copy = { readonly folder: string; readonly script: string };

/** The script may import `sandbox`, made by the line before it. */
export function copySources(script: string, mode: number): Copy {
  const folder = temporaryFolder('copy');
  execFileSync('cp', ['-alT', sources(), folder]);
  const path = join(folder, 'script.ts');
  const head = "import { bubblewrapSandbox } from './src/sandbox/bubblewrap.ts';\n";
  writeFileSync(path, `${head}const signal = new AbortController().signal;\n${script}`);
  // Whatever the mask of whoever runs the tests.
  chmodSync(path, 0o644);
  chmodSync(folder, mode);
  return { folder, script: path };
}

let copied = '';

/** Made once: copies are links to it. */
function sources(): string {
  if (copied !== '') return copied;
  const folder = temporaryFolder('sources');
  for (const room of ['core', 'sandbox']) {
    cpSync(join(repository, 'src', room), join(folder, 'src', room), { recursive: true });
  }
  mkdirSync(join(folder, 'node_modules'));
  for (const library of ['zod', 'fflate']) {
    const from = join(repository, 'node_modules', library);
    const filter = (path: string) => isNeeded(relative(from, path));
    cpSync(from, join(folder, 'node_modules', library), { recursive: true, filter });
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  copied = folder;
  return folder;
}

/** Most files of a library are its types, its sources, and itself for another kind of import. */
function isNeeded(path: string): boolean {
  return path !== 'src' && !/\.(?:d\.[cm]?ts|cjs|map|md)$/.test(path);
}

/** Somebody else, with a place of his own for what he stages. */
export type User = { readonly uid: number; readonly gid: number; readonly temporary: string };

/** Runs the copy's script and reads the one line of JSON that it prints. */
export async function runCopy(copy: Copy, user?: User): Promise<unknown> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: isRoot && !user ? '/root' : '/nonexistent',
    ...(user && { TMPDIR: user.temporary }),
  };
  const as = user && { uid: user.uid, gid: user.gid };
  const node = user ? ownNode(copy) : process.execPath;
  const { stdout } = await run(node, [copy.script], { cwd: copy.folder, env, ...as });
  return JSON.parse(stdout);
}

/** The one that runs here may lie in a folder that is closed to others. */
function ownNode({ folder }: Copy): string {
  const [first, path] = [join(sources(), 'node'), join(folder, 'node')];
  if (!existsSync(first)) copyFileSync(process.execPath, first);
  if (!existsSync(path)) linkSync(first, path);
  return path;
}

/** Ends with the test at the latest: one that fails leaves nobody at work. */
export function startCopy(copy: Copy) {
  const child = spawn(process.execPath, [copy.script], { cwd: copy.folder, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The same on a machine where these files cannot be run, or with other restrictions of bubblewrap's. */
export async function runCopyOn(copy: Copy, restrictions: readonly string[]): Promise<unknown> {
  const view = ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', ...restrictions];
  const { stdout } = await run('bwrap', [...view, '--', process.execPath, copy.script], { cwd: '/' });
  return JSON.parse(stdout);
}

export function without(path: string): readonly string[] {
  return existsSync(path) ? ['--ro-bind', '/dev/null', path] : [];
}

type Staged = { readonly runner?: boolean; readonly uid?: number };

/**
 * Puts into a place of a test's own what the machine was asked before, and the runner that was built: to ask each
 * toolchain anew takes longer than most tests. Kept programs, cells and locks stay behind.
 */
export async function stageIn(parent: string, { runner = true, uid }: Staged = {}): Promise<void> {
  const backend = await openBubblewrap();
  await findTools(backend);
  // Only this version's: others that were staged on the machine would be leftovers there.
  const staged = await stage(backend.folder, process.arch === 'arm64' ? 'arm64' : 'x64');
  const shared = [staged.runner, staged.filter, staged.passwd].map((path) => basename(path));
  const names = readdirSync(backend.folder).filter(
    (name) => name === 'answers' || (runner && shared.includes(name)),
  );
  const staging = join(parent, uid === undefined ? basename(backend.folder) : `polya-${uid}`);
  mkdirSync(staging);
  chmodSync(staging, 0o711);
  execFileSync('cp', ['-a', ...names.map((name) => join(backend.folder, name)), staging]);
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, staging]);
}
