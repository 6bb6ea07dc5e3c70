/** A cell in a container of its own, whose process 1 is the runner; it ends with its stdin. */
import { Writable } from 'node:stream';
import { UnavailableError } from '../../core/errors.ts';
import { type Cell, CellLostError, type CellSpec } from '../backend.ts';
import { type Connection, lastWords, RunnerCell } from '../cell.ts';
import { type Container, type Ending, startContainer } from './container.ts';
import { planOf, type Site } from './container-options.ts';

export async function openContainerCell(site: Site, spec: CellSpec): Promise<Cell> {
  const container = await startContainer(site.engine, planOf(site, spec));
  // The runner reads its container's own control group: nothing has to be handed over. Its disk is rounded up.
  const openFiles = ['ownCgroup', 'spareDisk'].map((name) => ({ name, fd: 0 }));
  return new RunnerCell(connectionTo(container), { openFiles, kept: spec.kept });
}

function connectionTo(container: Container): Connection {
  let isHungUp = false;
  let ending: Ending | null = null;
  const describeIssue = lastWords(container.stderr);
  const input = halfOpenInput(container, () => {
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
    explain: (why) => explainContainerEnd(why, describeIssue().trim(), ending),
  };
}

/** The connection goes both ways: when there is nothing more to say, the other way stays open for the last report. */
function halfOpenInput({ stdin }: Container, onEnd: () => void): Writable {
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

function explainContainerEnd(text: string | null, issue: string, ending: Ending | null): UnavailableError {
  const what = 'A program could not be run in its container.';
  if (text !== null)
    return new UnavailableError({ code: 'cell-failed', what, why: `The runner in it said: ${text}.` });
  const fix = 'Try again. If it happens again, look into the log of the engine and of the kernel.';
  if (issue !== '') return new UnavailableError({ code: 'cell-failed', what, why: `${issue}.`, fix });
  const why = `The runner in it was ended from outside (exit status ${ending?.exitCode ?? 'unknown'}).`;
  return new CellLostError({ code: 'cell-lost', what, why, fix });
}
