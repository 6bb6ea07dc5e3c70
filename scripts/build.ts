/**
 * Builds what the package holds into `dist/`: the sources as JavaScript with their types, the C sources of the
 * sandbox's runner, the recipe of its image, and a sample for Kotlin's compiler. npm runs it before it packs. The clone does without: there the
 * sources are run as they are.
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
for (const folder of ['runner', join('docker', 'image'), join('languages', 'kotlin')]) {
  cpSync(join(root, 'src', 'sandbox', folder), join(dist, 'sandbox', folder), { recursive: true });
}
