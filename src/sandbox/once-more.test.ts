/** What is lost with its cell, over cells that are ended from outside as often as the test says. */
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { UnavailableError } from '../core/errors.ts';
import { type Backend, CellLostError, type Job } from './backend.ts';
import { type CellPool, caseWorker } from './batch.ts';
import type { FoundTool } from './languages/languages.ts';
import { defaultRunLimits } from './limits.ts';
import { pairWorker } from './pair.ts';
import { emptyFinished } from './protocol.ts';
import { runOnce } from './run-once.ts';

const never = new AbortController().signal;
const lost = () =>
  new CellLostError({
    code: 'cell-lost',
    what: 'No cell.',
    why: 'Killed (exit code 137).',
    fix: 'Try again.',
  });

/** The first `losses` cells are ended while a job of `command` runs in them. */
function crewOf(losses: number, command = 'program') {
  const told = { opened: 0, closed: 0, lost: 0 };
  const backend: Backend = {
    name: 'fragile',
    version: '1',
    isolation: 'none',
    enforcement: {} as Backend['enforcement'],
    folder: temporaryFolder('fragile'),
    isIntact: () => true,
    clean: async () => [],
    fileState: async () => null,
    openCell: async () => {
      told.opened += 1;
      return {
        run: async (job: Job) => {
          if (job.command[0] !== command || told.lost === losses) return emptyFinished('ok');
          told.lost += 1;
          throw lost();
        },
        close: async () => {
          told.closed += 1;
        },
      };
    },
  };
  const crew = (name: string): CellPool => ({
    backend,
    found: {
      language: { sourceFile: 'main.py' },
      tool: { compile: null, run: () => ({ command: [name] }) },
    } as unknown as FoundTool,
    executable: { bytes: Buffer.from(''), files: {} } as unknown as CellPool['executable'],
    limits: defaultRunLimits,
  });
  return { backend, crew, told };
}

const job = { files: [], stdin: null, collectPath: null, limits: defaultRunLimits, command: ['program'] };

test('a cell that was killed from outside ended a session as failed: its job is run once more, in another', async () => {
  const { backend, told } = crewOf(1);
  expect((await runOnce(backend, { job, mounts: [] }, never)).step.verdict).toBe('ok');
  expect(told).toEqual({ opened: 2, closed: 2, lost: 1 });
});

test('twice in a row is told, as that', async () => {
  const { backend, told } = crewOf(2);
  const result = runOnce(backend, { job, mounts: [] }, never);
  await expect(result).rejects.toThrow(
    'No cell. Killed (exit code 137), and so was the one that took its place. Try again.',
  );
  await expect(result).rejects.toSatisfy((error) => error instanceof UnavailableError);
  expect(told).toEqual({ opened: 2, closed: 2, lost: 2 });
});

test('a case is run in another cell, and so are those behind it', async () => {
  const { crew, told } = crewOf(1);
  const worker = caseWorker(crew('program'), never);
  const ran = await Promise.all(['a', 'b'].map((name) => worker.run({ name })));
  await worker.close();
  expect(ran.map((each) => each?.step.verdict)).toEqual(['ok', 'ok']);
  expect(told).toEqual({ opened: 2, closed: 2, lost: 1 });
});

test('a pair begins anew where either side was lost: what one has said to the other is lost as well', async () => {
  for (const side of ['program', 'tester']) {
    const { crew, told } = crewOf(1, side);
    const worker = pairWorker(crew('program'), { ...crew('tester'), talks: 'stdio', args: [] }, never);
    const result = await worker.run({ name: 'a' });
    await worker.close();
    expect([result?.step.verdict, result?.tester?.verdict, told.lost]).toEqual(['ok', 'ok', 1]);
    expect(told).toMatchObject({ opened: 4, closed: 4 });
  }
});
