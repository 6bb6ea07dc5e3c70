/**
 * Builds what the package holds into `dist/`: the sources as JavaScript with their types, and what lies beside them as it
 * is: the C sources of the sandbox's runner, the recipe of its image, texts of puzzles. npm runs it before it packs. The
 * clone does without: there the sources are run as they are.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const tsc = join(root, 'node_modules', '.bin', 'tsc');
const { status } = spawnSync(tsc, ['-p', join(root, 'scripts')], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
cpSync(join(root, 'src'), dist, {
  recursive: true,
  filter: (path) => !/\.(ts|tsx|md)$|\/web(\/|$)/.test(path),
});
const page = spawnSync(process.execPath, [join(root, 'scripts', 'page.ts'), join(dist, 'web')], {
  stdio: 'inherit',
});
if (page.status !== 0) process.exit(page.status ?? 1);
