/**
 * What the containers of a back-end have in common, and the plan of one for what a cell asks for. Pure but for a look
 * at the files that are mounted. Sizes are rounded up, so that users who differ by a few bytes find the same container
 * fit; the runner takes up what is beyond each one's own (runner/disk.c).
 */
import { statSync } from 'node:fs';
import type { CellSpec, Mount } from '../backend.ts';
import { scratchBytes } from '../request.ts';
import { type ContainerPlan, fixedOptions } from './container-options.ts';
import type { Engine } from './engine.ts';
import { ownerLabels } from './owner-labels.ts';

export type Site = {
  readonly engine: Engine;
  readonly image: string;
  /** Of the host, into every container. */
  readonly mounts: readonly Mount[];
  /** Which of a cell's own mounts its container gets: an image brings some of them itself. Throws where it cannot. */
  readonly ownMounts: (mounts: readonly Mount[]) => readonly Mount[];
  readonly seccomp: string;
};

export type SitePlan = Omit<ContainerPlan, 'name' | 'uid'>;

const mebibyte = 2 ** 20;
/** Its code, its stack, and the archive of a folder on its way out. */
const runnerBaseBytes = 32 * mebibyte;

export function planOf(site: Site, { limits, mounts, kept, roomBytes }: CellSpec): SitePlan {
  const { engine, image, seccomp } = site;
  const keptBytes = kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return {
    image,
    seccomp,
    kind: engine.kind,
    labels: ownerLabels(),
    mounts: [...site.mounts, ...site.ownMounts(mounts)],
    limits,
    scratchBytes: scratchBytes(limits, wholeMebibytes(roomBytes)),
    runnerBytes: runnerBaseBytes + wholeMebibytes(keptBytes) + 4 * limits.outputBytes,
  };
}

function wholeMebibytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / mebibyte)) * mebibyte;
}

/**
 * Equal where one container fits both. A mount shows the file that had the name when the container was made; what
 * took its place since, as an update of the system does, is another.
 */
export function shapeOf(plan: SitePlan): string {
  return JSON.stringify([fixedOptions(plan), plan.mounts.map(({ source }) => fileNumber(source))]);
}

function fileNumber(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
