/** Sessions in the real sandbox: what is kept between two programs, and what a kill -9 leaves of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunEnd } from '../../src/core/event.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { chooseSandbox } from '../../src/sandbox/choose.ts';
import { answered, oddRun, oddWorld, outline } from '../support/odd.ts';
import { calls, sessionWorld } from '../support/session-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf } from '../support/world.ts';

const child = join(import.meta.dirname, '../support/session-child.ts');
const textOf = ({ solution }: RunEnd): string =>
  solution?.answer?.type === 'text' ? solution.answer.text : '';
const bytes = 256 * (1 + 2 + 3 + 4 + 5);
const whole = `1 2 3 4 5  ['1.bin', '2.bin', '3.bin', '4.bin', '5.bin'] 3\n1 2 3 4 5 ${bytes}`;

describe('a session in the sandbox', () => {
  test('files are kept from program to program and from language to language; processes are not', async () => {
    const world = sessionWorld(temporaryFolder());
    const end = await (await startRun(world, oddRun())).done;
    expect(textOf(end)).toBe(whole);
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  });

  test.each([1, 3])('killed with SIGKILL after %i calls, it goes on with what it had', async (number) => {
    const folder = temporaryFolder();
    const running = spawn(process.execPath, [child, folder, String(number)], { stdio: 'inherit' });
    expect(await once(running, 'exit')).toEqual([null, 'SIGKILL']);
    const world = sessionWorld(folder);
    const before = outline(await eventsOf(world, 'run')).filter((line) => line.includes('exec-end'));
    expect(before).toHaveLength(number);
    const end = await (await resumeRun(world, 'run')).done;
    expect(textOf(end)).toBe(whole);
    const after = outline(await eventsOf(world, 'run')).filter((line) => line.includes('exec-end ok'));
    expect(after).toHaveLength(calls + 1);
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  });

  test('a folder beyond what a journal keeps lives on in its process', async () => {
    const world = oddWorld({
      io: { sandbox: chooseSandbox() },
      solve: async (run) => {
        const session = run.session();
        const source =
          'import os; open("big", "wb").write(os.urandom(20 << 20)); print(os.stat("big").st_ino > 0)';
        const { folder } = await session.exec({ language: 'python', source });
        const look = 'import os; print(os.path.getsize("big"))';
        const { run: step } = await session.exec({ language: 'python', source: look });
        return answered(`${folder?.snapshot} ${folder?.files} ${step?.stdout.text}`);
      },
    });
    expect(textOf(await (await startRun(world, oddRun())).done)).toBe(`null 2 ${20 << 20}\n`);
  });
});
