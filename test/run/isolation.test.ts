/** A run whose programs ran without a sandbox says so for good, and one that began in one does not leave it unseen. */
import { expect, test } from 'vitest';
import { runText } from '../../src/cli/run-report.ts';
import { UserError } from '../../src/core/errors.ts';
import { foldRun } from '../../src/core/fold.ts';
import type { Sandbox, SandboxInfo } from '../../src/core/sandbox.ts';
import { describeEvent } from '../../src/notes/event-line.ts';
import { runJson } from '../../src/open/run-json.ts';
import { forkRun } from '../../src/run/fork.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { noPaint } from '../../src/text/paint.ts';
import { answered, oddRun, oddWorld } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toySandbox } from '../support/toy-sandbox.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

const label = /ran WITHOUT a sandbox/;
const limits: SandboxInfo['limits'] = {
  wallMs: 1,
  cpuMs: 1,
  memoryBytes: 1,
  processes: 1,
  openFiles: 1,
  fileBytes: 1,
  diskBytes: 1,
  outputBytes: 1,
};

function sandboxOf(isolation: SandboxInfo['isolation'], waits = true): Sandbox {
  const enforcement = Object.fromEntries(Object.keys(limits).map((name) => [name, 'nobody']));
  const info = {
    backend: isolation === 'none' ? 'none' : 'toy',
    version: '1',
    isolation,
    toolchains: [],
    limits,
    compileLimits: limits,
    enforcement: enforcement as SandboxInfo['enforcement'],
  };
  return { ...toySandbox(undefined, { waits }), info: async () => info };
}

function worldOf(sandbox: Sandbox, folder = temporaryFolder()) {
  return oddWorld({
    folder,
    io: { sandbox },
    solve: async (run) => {
      const { run: step } = await run.exec({ language: 'python', source: 'wait' });
      return answered(String(step?.verdict));
    },
  });
}

/** Stopped in the middle of its program. */
async function stopped(isolation: SandboxInfo['isolation']): Promise<string> {
  const folder = temporaryFolder();
  const world = worldOf(sandboxOf(isolation), folder);
  const handle = await startRun(world, oddRun());
  await until(async () => (await eventsOf(world, 'run')).some(({ kind }) => kind === 'exec-start'));
  handle.stop();
  await handle.done;
  await world.store.close();
  return folder;
}

test('it is told in its list, its report, its JSON and its journal, and so is a fork of it', async () => {
  const world = worldOf(sandboxOf('none', false));
  await (await startRun(world, oddRun())).done;
  const safe = worldOf(sandboxOf('sandbox', false), temporaryFolder());
  await (await startRun(safe, oddRun())).done;
  for (const [each, isSaid] of [
    [world, true],
    [safe, false],
  ] as const) {
    const row = await each.store.get('run');
    if (!row) throw new Error('It is gone.');
    expect(row.summary.isolation).toBe(isSaid ? 'none' : 'sandbox');
    const events = await eventsOf(each, 'run');
    const result = { row, view: foldRun(events), metrics: null };
    const output = {
      write: () => undefined,
      isTerminal: false,
      columns: 100,
      paint: noPaint,
      isClosed: false,
    };
    const told = [
      runText(output, result),
      JSON.stringify(runJson(result)),
      events.map((event) => describeEvent(event, null).text).join('\n'),
    ];
    for (const text of told) expect(label.test(text)).toBe(isSaid);
  }
  const { header } = await forkRun(
    { ...world, io: { ...world.io, sandbox: sandboxOf('sandbox', false) } },
    'run',
    { id: 'fork' },
  );
  expect(header.sandbox?.isolation).toBe('none');
});

test('it may go on in a sandbox or without one', async () => {
  for (const isolation of ['none', 'sandbox'] as const) {
    const world = worldOf(sandboxOf(isolation, false), await stopped('none'));
    expect(await (await resumeRun(world, 'run')).done).toMatchObject({ outcome: 'answered' });
  }
});

test('a run that began in a sandbox is not resumed without one, and is left as it was', async () => {
  const folder = await stopped('sandbox');
  const world = worldOf(sandboxOf('none', false), folder);
  const before = await eventsOf(world, 'run');
  const refused = await resumeRun(world, 'run').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UserError);
  expect(String(refused)).toMatch(/began in a sandbox, and would go on without one/);
  expect(await eventsOf(world, 'run')).toEqual(before);
  expect((await world.store.get('run'))?.owner).toBeNull();
  await world.store.close();
  const safe = worldOf(sandboxOf('sandbox', false), folder);
  expect(await (await resumeRun(safe, 'run')).done).toMatchObject({ outcome: 'answered' });
});
