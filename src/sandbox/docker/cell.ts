/**
 * Opens one cell in a container of its own: an engine's streams become a connection to the runner, and the container
 * goes when the cell ends. It knows nothing of languages, nor of what runs in the cell.
 */
import { Writable } from 'node:stream';
import { UnavailableError } from '../../core/errors.ts';
import type { Cell, CellSpec, Mount } from '../backend.ts';
import { type Connection, runnerCell } from '../cell.ts';
import { scratchBytes } from '../request.ts';
import { type Container, type Ending, startContainer } from './container.ts';
import type { Engine } from './engine.ts';
import { ownerLabels } from './owner-labels.ts';

/** What all cells of a back-end have in common. */
export type Site = {
  readonly engine: Engine;
  readonly image: string;
  /** Of the host, into every container. */
  readonly mounts: readonly Mount[];
  /** Which of a cell's own mounts its container gets: an image brings some of them itself. Throws where it cannot. */
  readonly ownMounts: (mounts: readonly Mount[]) => readonly Mount[];
  readonly seccomp: string;
};

/** Its code, its stack, and the archive of a folder on its way out. */
const runnerBaseBytes = 32 * 2 ** 20;

export async function openContainerCell(site: Site, spec: CellSpec): Promise<Cell> {
  const { engine, image, seccomp } = site;
  const kept = spec.kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const container = await startContainer(engine, {
    image,
    seccomp,
    kind: engine.kind,
    labels: ownerLabels(),
    mounts: [...site.mounts, ...site.ownMounts(spec.mounts)],
    limits: spec.limits,
    scratchBytes: scratchBytes(spec.limits, spec.roomBytes),
    runnerBytes: runnerBaseBytes + kept + 4 * spec.limits.outputBytes,
  });
  // The runner reads its container's own control group: nothing has to be handed over.
  return runnerCell(connectionTo(container), { openFiles: [{ name: 'ownCgroup', fd: 0 }], kept: spec.kept });
}

function connectionTo(container: Container): Connection {
  let isHungUp = false;
  let ending: Ending | null = null;
  const complaint: Buffer[] = [];
  container.stderr.on('data', (chunk: Buffer) => complaint.push(chunk));
  const input = halfOf(container, () => {
    isHungUp = true;
  });
  const ended = container.streamsEnded.then(async () => {
    if (!isHungUp) ending = await container.ending();
    await container.remove();
  });
  return {
    input,
    output: container.stdout,
    kill: () => void container.remove().catch(() => {}),
    ended,
    wasOutOfMemory: () => ending?.wasOutOfMemory === true,
    explain: (why) => explain(why, Buffer.concat(complaint).toString('utf8'), ending),
  };
}

/** The connection goes both ways: when there is nothing more to say, the other way stays open for the last report. */
function halfOf({ stdin }: Container, onEnd: () => void): Writable {
  const hangUp = () => {
    onEnd();
    stdin.end();
  };
  return new Writable({
    write: (chunk, _encoding, done) => void stdin.write(chunk, done),
    writev(chunks, done) {
      stdin.cork();
      for (const { chunk } of chunks.slice(0, -1)) stdin.write(chunk);
      stdin.write(chunks.at(-1)?.chunk ?? '', done);
      stdin.uncork();
    },
    final(done) {
      hangUp();
      done();
    },
    destroy(error, done) {
      hangUp();
      done(error);
    },
  });
}

function explain(why: string | null, complaint: string, ending: Ending | null): UnavailableError {
  const what = 'A program could not be run in its container.';
  if (why !== null) return new UnavailableError({ what, why: `The runner in it said: ${why}.` });
  const said = complaint.trim();
  const status = ending?.exitCode ?? null;
  return new UnavailableError({
    what,
    why:
      said === ''
        ? `The runner in it was ended from outside (exit status ${status ?? 'unknown'}).`
        : `${said}.`,
    fix: 'Try again. If it happens again, look into the log of the engine and of the kernel.',
  });
}
