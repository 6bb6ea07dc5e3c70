/** Branches: their names, races and early ends, what is left in flight, and agents that do not let go. */
import { describe, expect, test, vi } from 'vitest';
import type { BranchResult, Run, Solution } from '../../src/core/agent.ts';
import { Cancelled } from '../../src/core/errors.ts';
import type { RunEnd } from '../../src/core/event.ts';
import { foldRun } from '../../src/core/fold.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { answered, modelOf, oddRun, oddWorld, outline, said, say } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

/** A model that answers "fast…" soon, "slow…" only when its call is aborted. */
const pacedModel = modelOf((request, { signal }) => {
  const text = String(request.messages[0]?.content);
  if (!text.startsWith('slow')) return new Promise((resolve) => setTimeout(() => resolve(said(text)), 2));
  return new Promise((resolve) => {
    const error = { kind: 'aborted', message: 'aborted', retryable: false } as const;
    const end = (): void => resolve({ ok: false, error, usage: null });
    signal.addEventListener('abort', () => setTimeout(end, 5), { once: true });
  });
});

async function runOf(solve: (run: Run) => Promise<Solution>): Promise<{ world: Runtime; end: RunEnd }> {
  const world = oddWorld({ solve, model: pacedModel });
  return { world, end: await (await startRun(world, oddRun())).done };
}

async function expectReplay(world: Runtime): Promise<void> {
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
}

const nothing = async (): Promise<void> => undefined;

describe('a branch', () => {
  test.each(['', 'a/b', 'a#1', '\ud800'])('cannot be called "%s"', async (name) => {
    const { end } = await runOf(async (run) => {
      await run.branch(name, nothing);
      return answered('');
    });
    expect(end.error?.message).toContain('cannot be named');
  });

  test('has a name that its siblings do not have', async () => {
    const started: string[] = [];
    const { end, world } = await runOf(async (run) => {
      await run.branch('a', (here) => here.branch('a', async (deeper) => void started.push(deeper.path)));
      const names = ['b', 'a'];
      const branches = Object.fromEntries(names.map((name) => [name, async () => void started.push(name)]));
      await expect(run.race(branches)).rejects.toThrow('There is a branch "a"');
      await run.branch('b', async (here) => void started.push(here.path));
      await run.branch('b', nothing);
      return answered('');
    });
    expect(started, 'a race with a wrong name begins none of its branches').toEqual(['a/a', 'b']);
    expect(end.error?.message).toContain('There is a branch "b" under "" already');
    await world.store.close();
  });

  test('knows where it is and what holds for it', async () => {
    const seen: unknown[] = [];
    await runOf(async (run) => {
      seen.push(run.path, run.stage, run.limits, run.prompt('go'), run.signal.aborted);
      expect(() => run.prompt('constructor')).toThrow('no prompt named');
      return answered('');
    });
    expect(seen).toEqual(['', '', {}, 'go', false]);
  });
});

describe('a race', () => {
  test('is won by the first that returns; the others are broken off and settled before it is over', async () => {
    const { world, end } = await runOf(async (run) => {
      const winner = await run.race({
        slow: (here) => say(here, 'slow'),
        fast: (here) => say(here, 'fast'),
        nested: (here) => here.branch('deep', (deeper) => say(deeper, 'slow')),
      });
      return answered(`${winner.name} ${winner.value} ${await say(run, 'after')}`);
    });
    expect(end.solution?.answer).toEqual({ type: 'text', text: 'fast fast after' });
    const events = await eventsOf(world, 'run');
    const lines = outline(events);
    expect(lines.slice(lines.indexOf('fast#1 model-response ok') + 1)).toEqual([
      'nested/deep#1 model-response cancelled by branch',
      'slow#1 model-response cancelled by branch',
      'main#1 model-request',
      'main#1 model-response ok',
      'run-end',
    ]);
    expect(foldRun(events).possiblyBilled).toBe(2);
    await expectReplay(world);
  });

  test('that nobody wins throws the last error; one without branches is a mistake', async () => {
    const { end, world } = await runOf(async (run) => {
      await expect(run.race({})).rejects.toThrow('at least one');
      await run.race({
        a: async (here) => {
          await say(here, 'fast');
          throw new Error('second');
        },
        b: async () => {
          throw new Error('first');
        },
      });
      return answered('');
    });
    expect(end.error?.message).toBe('second');
    await expectReplay(world);
  });

  test('ends although a loser goes on asking after it was cancelled', async () => {
    const told: string[] = [];
    const { end, world } = await runOf(async (run) => {
      const { name } = await run.race({
        stubborn: async (here) => {
          for (let n = 0; n < 100; n += 1) {
            await say(here, 'slow').catch((error: Error) => told.push(error.name));
          }
          return 'at last';
        },
        fast: (here) => say(here, 'fast'),
      });
      return answered(name);
    });
    expect(end.solution?.answer).toEqual({ type: 'text', text: 'fast' });
    expect(told).toEqual(Array.from({ length: 100 }, () => 'Cancelled'));
    expect(outline(await eventsOf(world, 'run')).filter((line) => line.startsWith('stubborn'))).toHaveLength(
      2,
    );
    told.length = 0;
    await expectReplay(world);
  });

  test('with a loser that never stops asking ends the run', async () => {
    const world = oddWorld({
      model: pacedModel,
      solve: async (run) => {
        const deaf = async (here: Run): Promise<string> => {
          for (;;) await say(here, 'slow').catch(() => undefined);
        };
        await run.race({ deaf, fast: (here) => say(here, 'fast') });
        return answered('');
      },
    });
    const end = await (await startRun(world, oddRun())).done;
    expect(end).toMatchObject({
      outcome: 'error',
      error: { message: expect.stringMatching('went on asking') },
    });
    await expectReplay(world);
  });
});

describe('until', () => {
  test('gives the results so far in the order of their ends, failures too', async () => {
    const { world, end } = await runOf(async (run) => {
      const branch = (text: string) => (here: Run) => say(here, text);
      const results = await run.until(
        {
          slow: branch('slow'),
          fails: async () => {
            throw new Error('x');
          },
          a: branch('fast a'),
        },
        (soFar) => soFar.length === 2,
      );
      return answered(results.map(describeResult).join());
    });
    expect(end.solution?.answer).toEqual({ type: 'text', text: 'fails!x,a=fast a' });
    await expectReplay(world);
  });

  test('whose judge fails leaves nobody running', async () => {
    const { world, end } = await runOf(async (run) => {
      const judge = (): boolean => {
        throw new Error('no judge');
      };
      const failed = run.until(
        { slow: (here) => say(here, 'slow'), fast: (here) => say(here, 'fast') },
        judge,
      );
      await expect(failed).rejects.toThrow('no judge');
      return answered(await say(run, 'fast after'));
    });
    expect(end.outcome).toBe('answered');
    expect(outline(await eventsOf(world, 'run')).indexOf('slow#1 model-response cancelled by branch')).toBe(
      4,
    );
    await expectReplay(world);
  });
});

describe('what an agent leaves in flight', () => {
  test('when it returns is broken off and settled, and nobody is told of it', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { world, end } = await runOf(async (run) => {
      void run.branch('a', (here) => say(here, 'slow'));
      void run.race({ b: (here) => say(here, 'slow') });
      void run.until({ c: (here) => say(here, 'slow') }, () => true);
      void run.generate('solver', { messages: [{ role: 'user', content: 'slow' }] });
      await say(run, 'fast');
      return answered('');
    });
    expect(end.outcome).toBe('answered');
    expect(
      outline(await eventsOf(world, 'run'))
        .filter((line) => line.includes('by end'))
        .sort(),
    ).toEqual([
      'a#1 model-response cancelled by end',
      'b#1 model-response cancelled by end',
      'c#1 model-response cancelled by end',
      'main#1 model-response cancelled by end',
    ]);
    await expectReplay(world);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('when a branch returns is broken off with it', async () => {
    const { world } = await runOf(async (run) => {
      await run.branch('a', async (here) => {
        void here.generate('solver', { messages: [{ role: 'user', content: 'slow' }] });
        await say(here, 'fast');
      });
      return answered(await say(run, 'fast'));
    });
    expect(outline(await eventsOf(world, 'run'))).toContain('a#1 model-response cancelled by branch');
    await expectReplay(world);
  });
});

test('a run that is stopped stays stopped, whatever its agent makes of it', async () => {
  const world = oddWorld({
    model: pacedModel,
    solve: async (run) => {
      const thrown = await say(run, 'slow').catch((error: Error) => error);
      run.note('caught', { cancelled: thrown instanceof Cancelled });
      return answered('an answer all the same');
    },
  });
  const handle = await startRun(world, oddRun());
  setTimeout(handle.stop, 10);
  expect(await handle.done).toMatchObject({ outcome: 'cancelled', solution: null });
  await expectReplay(world);
});

test('thirty branches at once are nothing to be warned of', async () => {
  const warned = vi.fn();
  process.on('warning', warned);
  const { world } = await runOf(async (run) => {
    const names = Array.from({ length: 30 }, (_, n) => `b${n}`);
    await Promise.all(names.map((name) => run.branch(name, (here) => say(here, 'fast'))));
    return answered('');
  });
  await expectReplay(world);
  process.off('warning', warned);
  expect(warned).not.toHaveBeenCalled();
});

function describeResult(result: BranchResult<string>): string {
  return result.ok ? `${result.name}=${result.value}` : `${result.name}!${result.error.message}`;
}
