/**
 * One container as a cell: an engine's streams become a connection to the runner, and the container goes when the cell
 * ends. It knows nothing of languages, of what runs in the cell, nor of whether it is used again (pool.ts).
 */
import { Writable } from 'node:stream';
import { UnavailableError } from '../../core/errors.ts';
import { CellLost, type StagedFile } from '../backend.ts';
import { type Connection, type RenewableCell, runnerCell } from '../cell.ts';
import { type Container, type Ending, startContainer } from './container.ts';
import type { ContainerPlan } from './container-options.ts';
import type { Engine } from './engine.ts';

export type ContainerCell = { readonly container: Container; readonly cell: RenewableCell };

export async function openContainerCell(
  engine: Engine,
  plan: Omit<ContainerPlan, 'name' | 'uid'>,
  kept: readonly StagedFile[],
): Promise<ContainerCell> {
  const container = await startContainer(engine, plan);
  // The runner reads its container's own control group: nothing has to be handed over. Its disk is rounded up (site.ts).
  const openFiles = ['ownCgroup', 'spareDisk'].map((name) => ({ name, fd: 0 }));
  return { container, cell: runnerCell(connectionTo(container), { openFiles, kept }) };
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
  if (why !== null)
    return new UnavailableError({ code: 'explain', what, why: `The runner in it said: ${why}.` });
  const said = complaint.trim();
  const fix = 'Try again. If it happens again, look into the log of the engine and of the kernel.';
  if (said !== '') return new UnavailableError({ code: 'explain', what, why: `${said}.`, fix });
  const status = ending?.exitCode ?? 'unknown';
  return new CellLost({
    code: 'cell-lost',
    what,
    why: `The runner in it was ended from outside (exit status ${status}).`,
    fix,
  });
}
