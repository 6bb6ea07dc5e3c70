/**
 * The back-end `none`: programs run on the bare machine, with the rights of a user. It is taken by name only. What it
 * still does: limits as far as rlimits and watching can enforce them, a folder of its own, an environment without the
 * user's, and an end to every process that does not hide.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { release } from 'node:os';
import { basename, join } from 'node:path';
import { UnavailableError } from '../../core/errors.ts';
import type { Removed } from '../../core/sandbox.ts';
import type { Backend } from '../backend.ts';
import { hostFileState } from '../host.ts';
import { removeAll, sweepLeftovers } from '../leftovers.ts';
import { defaultStagingParents } from '../machine.ts';
import { isDeadOwner, type Leftover } from '../owner.ts';
import { isFilterArch } from '../seccomp.ts';
import { linkOnce } from '../staged-file.ts';
import { type Staging, stageInFirst } from '../staging.ts';
import { type Ground, openBareCell } from './cell.ts';
import { findForsaken } from './strays.ts';

export type NoneOptions = {
  /** Where the staging folder may be made, in order of preference. */
  readonly stagingParents?: readonly string[];
};

/** In the staging folder. */
const cellsName = 'cells';

/** Throws `UnavailableError` where not even that works. */
export async function openNone({
  stagingParents = defaultStagingParents(),
}: NoneOptions = {}): Promise<Backend> {
  const ground = await findGround(stagingParents);
  const { folder, runner } = ground.staging;
  clean(ground);
  return {
    name: 'none',
    version: `on Linux ${release()}, WITHOUT a sandbox`,
    isolation: 'none',
    enforcement: {
      wallMs: 'runner',
      cpuMs: 'process table, rlimit',
      memoryBytes: 'process table',
      processes: ground.isRoot ? 'rlimit' : 'rlimit, which counts all of its user',
      openFiles: 'rlimit',
      fileBytes: 'rlimit',
      diskBytes: 'looking at its folder; nothing elsewhere',
      outputBytes: 'runner',
    },
    folder,
    isIntact: () => existsSync(runner) && existsSync(ground.relay),
    fileState: hostFileState,
    openCell: (spec) => openBareCell(ground, spec),
    clean: async () => clean(ground),
  };
}

async function findGround(parents: readonly string[]): Promise<Ground> {
  const { arch, platform } = process;
  const uid = process.getuid?.();
  if (platform !== 'linux' || uid === undefined || !isFilterArch(arch)) {
    throw unavailable(`It needs Linux on x86_64 or arm64; this is ${platform} on ${arch}.`);
  }
  const staging = await stageInFirst(parents, { uid, arch });
  if (staging === null) throw unavailable(`None of ${parents.join(', ')} can hold the folders of programs.`);
  const cellsFolder = join(staging.folder, cellsName);
  await mkdir(cellsFolder, { recursive: true });
  // Programs of other users pass through, and see nothing of one another's names.
  await chmod(cellsFolder, 0o711);
  return { staging, cellsFolder, relay: await stageRelay(staging), isRoot: uid === 0 };
}

/** The runner knows by its name that it is the relay. */
async function stageRelay({ folder, runner }: Staging): Promise<string> {
  const named = join(folder, `relay-of-${basename(runner)}`);
  await mkdir(named, { recursive: true });
  await chmod(named, 0o711);
  const path = join(named, 'relay');
  await linkOnce(runner, path);
  return path;
}

function clean({ staging, isRoot }: Ground): readonly Removed[] {
  return [...sweepLeftovers(staging, isRoot), ...removeAll(findBareLeftovers(staging.folder))];
}

/** What programs of this back-end left, beside what those of every other leave. */
export function findBareLeftovers(stagingFolder: string): readonly Leftover[] {
  const folder = join(stagingFolder, cellsName);
  const cells = existsSync(folder) ? readdirSync(folder) : [];
  const dead = cells.filter((name) => isDeadOwner(/^(\d+-\d+)-\d+$/.exec(name)?.[1] ?? ''));
  // Processes first: they may be writing into the folders.
  return [
    ...findForsaken(),
    ...dead.map((name): Leftover => {
      const path = join(folder, name);
      const remove = () => {
        rmSync(path, { recursive: true, force: true });
        return true;
      };
      return { kind: 'folder', name: path, remove };
    }),
  ];
}

function unavailable(why: string): UnavailableError {
  return new UnavailableError({
    code: 'unavailable',
    what: 'Programs cannot be run here, not even without a sandbox.',
    why,
    fix: 'Use a back-end that isolates programs: `polya doctor` tells which work here.',
  });
}
