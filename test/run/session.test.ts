/** Sessions: a folder that lives through calls, branches, crashes and forks. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Run, Session, SessionResult, Solution } from '../../src/core/agent.ts';
import { EffectFailed, LimitReached } from '../../src/core/errors.ts';
import type { RunEnd } from '../../src/core/event.ts';
import { forkRun } from '../../src/run/fork.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { answered, oddRun, oddWorld, outline, say } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toySandbox } from '../support/toy-sandbox.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

const mebibyte = 2 ** 20;
type Solve = (run: Run) => Promise<Solution>;

/** A world whose sandbox counts what it executes. */
function counting(solve: Solve, { folder = temporaryFolder(), waits = true } = {}) {
  const executed: string[] = [];
  const onPerform = (moment: string, key: string): void => {
    if (moment === 'during') executed.push(key.slice('exec '.length));
  };
  const io = { sandbox: toySandbox(onPerform, { waits }) };
  return { executed, folder, world: oddWorld({ solve, folder, io }) };
}

const call = (session: Session, source: string): Promise<SessionResult> =>
  session.exec({ language: 'python', source });
const saw = ({ run }: SessionResult): string => run?.stdout.text.replaceAll('\n', ' ') ?? 'nothing';
const textOf = ({ solution }: RunEnd): string =>
  solution?.answer?.type === 'text' ? solution.answer.text : '';

async function whole(solve: Solve, waits = true): Promise<{ text: string; executed: readonly string[] }> {
  const { world, executed } = counting(solve, { waits });
  const end = await (await startRun(world, oddRun())).done;
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  return { text: textOf(end), executed };
}

/** Runs it until its program `wait` waits, stops it there, and goes on with it in another process's place. */
async function interrupted(solve: Solve) {
  const first = counting(solve);
  const handle = await startRun(first.world, oddRun());
  await until(() => first.executed.includes('wait'));
  handle.stop();
  expect((await handle.done).outcome).toBe('cancelled');
  const stopped = outline(await eventsOf(first.world, 'run'));
  await first.world.store.close();
  const second = counting(solve, { folder: first.folder, waits: false });
  const end = await (await resumeRun(second.world, 'run')).done;
  expect(await replayRun(second.world, 'run')).toMatchObject({ complete: true, isSame: true });
  return { ...second, stopped, text: textOf(end) };
}

describe('a session', () => {
  test('keeps its files from call to call, and no other session has them', async () => {
    const { text } = await whole(async (run) => {
      const session = run.session('one');
      await call(session, 'write a.txt A');
      await session.exec({ language: 'python', source: 'append a.txt B', files: { 'b.txt': 'b' } });
      expect(run.session('one')).toBe(session);
      const other = saw(await call(run.session(), 'say other'));
      const alone = await run.exec({ language: 'python', source: 'say alone' });
      return answered([saw(await call(session, 'say so')), other, alone.run?.stdout.text].join(' | '));
    });
    expect(text).toBe('so a.txt=AB b.txt=b | other | alone');
  });

  test('is as it was after a program that does not compile', async () => {
    const { text } = await whole(async (run) => {
      const session = run.session();
      await call(session, 'write a.txt A');
      const broken = await call(session, 'broken');
      return answered(`${broken.folder} ${saw(await call(session, 'say so'))}`);
    });
    expect(text).toBe('null so a.txt=A');
  });

  test('tells how much lies in it, and the journal keeps no copy in the event', async () => {
    const solve: Solve = async (run) => {
      const { folder } = await call(run.session(), 'fill big 5000');
      return answered(JSON.stringify(folder));
    };
    const { world } = counting(solve);
    const end = await (await startRun(world, oddRun())).done;
    expect(JSON.parse(textOf(end))).toEqual({ bytes: 5026, files: 1, snapshot: expect.any(String) });
    const rows = await world.store.events('run');
    expect(Math.max(...rows.map(({ body }) => body.length))).toBeLessThan(1500);
  });

  test('executes one after the other what is asked for at once', async () => {
    const { text } = await whole(async (run) => {
      const session = run.session();
      const all = await Promise.all(['a', 'b', 'c'].map((name) => call(session, `append x ${name}`)));
      return answered(all.map(saw).join());
    });
    expect(text).toBe('x=a,x=ab,x=abc');
  });

  test('is refused beyond the limit of time like every effect, and its calls count as programs', async () => {
    const solve: Solve = async (run) => {
      const session = run.session();
      await call(session, 'write a.txt A');
      await expect(call(session, 'wait')).rejects.toThrow(LimitReached);
      await expect(call(session, 'say no')).rejects.toThrow(LimitReached);
      return answered('limit');
    };
    const { world, executed } = counting(solve);
    // The time is over when the second call is at work, however long the first one took.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { done } = await startRun(world, oddRun({ limits: { wallMs: 400 } }));
    while (!executed.includes('wait')) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(400);
    const end = await done;
    expect(textOf(end)).toBe('limit');
    expect(executed).toEqual(['write a.txt A', 'wait']);
    expect(outline(await eventsOf(world, 'run'))).toContain('main#2 exec-end cancelled by limit');
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  });
});

describe('a session and branches', () => {
  test('a branch has a copy of what its parent had when it began; from then on each has its own', async () => {
    const { text } = await whole(async (run) => {
      const session = run.session();
      await call(session, 'write log begun');
      const child = (name: string) => async (here: Run) => {
        await say(here, 'wait a turn');
        await call(here.session(), `append log ,${name}`);
        return here.branch('deeper', async (below) => saw(await call(below.session(), 'append log ,deeper')));
      };
      const growing = [run.branch('a', child('a')), run.branch('b', child('b'))];
      await call(session, 'append log ,parent');
      const later = run.branch('c', child('c'));
      const seen = await Promise.all([...growing, later]);
      return answered([...seen, saw(await call(session, 'say end'))].join(' | '));
    });
    expect(text).toBe(
      'log=begun,a,deeper | log=begun,b,deeper | log=begun,parent,c,deeper | end log=begun,parent',
    );
  });

  test('two branches at once have sessions of one name and do not meet', async () => {
    const { text } = await whole(async (run) => {
      const branch = async (here: Run): Promise<string> => {
        const session = here.session('work');
        for (const n of [1, 2, 3]) await call(session, `append ${here.path} ${n}`);
        return saw(await call(session, 'say'));
      };
      const ended = await Promise.all(['a', 'b'].map((name) => run.branch(name, branch)));
      return answered(ended.join(' | '));
    });
    expect(text).toBe(' a=123 |  b=123');
  });

  test('what a lost race was executing is broken off with it', async () => {
    const { text, executed } = await whole(async (run) => {
      const { name } = await run.race({
        slow: async (here) => saw(await call(here.session(), 'wait')),
        fast: async (here) => saw(await call(here.session(), 'say fast')),
      });
      return answered(name);
    });
    expect(text).toBe('fast');
    expect(executed).toEqual(['wait', 'say fast']);
  });
});

describe('a session whose process is gone', () => {
  test('a program that was broken off with its run is no result: it is executed again', async () => {
    const { text, executed, stopped } = await interrupted(async (run) => {
      const { run: step } = await run.exec({ language: 'python', source: 'wait' });
      return answered(String(step?.verdict));
    });
    expect(stopped).toContain('main#1 exec-end cancelled by end');
    expect(text).toBe('ok');
    expect(executed).toEqual(['wait']);
  });

  test('goes on with the folder that the journal has, and executes nothing twice', async () => {
    const { text, executed } = await interrupted(async (run) => {
      const session = run.session();
      await call(session, 'write a.txt A');
      await call(session, 'append a.txt B');
      await call(session, 'wait');
      return answered(saw(await call(session, 'say on')));
    });
    expect(text).toBe('on a.txt=AB');
    expect(executed).toEqual(['wait', 'say on']);
  });

  test('so do the branches that took it over', async () => {
    const { text, executed } = await interrupted(async (run) => {
      await call(run.session(), 'write a.txt A');
      const child = async (here: Run) => {
        await call(here.session(), `append a.txt ${here.path}`);
        return saw(await call(here.session(), 'wait'));
      };
      return answered((await Promise.all(['x', 'y'].map((name) => run.branch(name, child)))).join());
    });
    expect(text).toBe('a.txt=Ax,a.txt=Ay');
    expect(executed).toEqual(['wait', 'wait']);
  });

  test('a folder that its store has lost is told, and nothing is made up in its place', async () => {
    const solve: Solve = async (run) => {
      await call(run.session(), 'fill big 600');
      const lost = await call(run.session(), 'wait').catch((error: Error) => error);
      return answered(lost instanceof EffectFailed ? lost.message : 'found');
    };
    const first = counting(solve);
    const handle = await startRun(first.world, oddRun());
    await until(() => first.executed.includes('wait'));
    handle.stop();
    await handle.done;
    await first.world.store.close();
    const database = new DatabaseSync(join(first.folder, 'polya.db'));
    const lost = 'DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM events WHERE instr(body, hash))';
    expect(database.prepare(lost).run().changes).toBe(1);
    database.close();
    const { world, executed } = counting(solve, { folder: first.folder, waits: false });
    expect(textOf(await (await resumeRun(world, 'run')).done)).toMatch(/not in the store any more/);
    expect(executed).toEqual([]);
  });
});

describe('a session whose folder is larger than a journal keeps', () => {
  const large = `fill big ${17 * mebibyte}`;
  const solve: Solve = async (run) => {
    const session = run.session();
    await call(session, 'write a.txt A');
    const { folder } = await call(session, large);
    expect(folder).toMatchObject({ files: 2, snapshot: null });
    await call(session, 'append a.txt B\nodd');
    await call(session, 'append a.txt C');
    const waited = await call(session, 'wait');
    const on = await call(session, 'say on');
    return answered(JSON.stringify([waited.folder?.rebuilt, on.folder?.rebuilt, saw(on)]));
  };

  test('lives on in its process', async () => {
    const { text, executed } = await whole(solve, false);
    expect(JSON.parse(text)).toEqual([null, null, `on a.txt=ABC big=${17 * mebibyte}`]);
    expect(executed).toHaveLength(6);
  });

  test('its calls since the last folder that was kept are executed again, and what came out differently is noted', async () => {
    const { text, executed } = await interrupted(solve);
    const rebuilt = { calls: 3, different: ['main#3'] };
    expect(JSON.parse(text)).toEqual([rebuilt, null, `on a.txt=ABC big=${17 * mebibyte}`]);
    expect(executed).toEqual([large, 'append a.txt B', 'append a.txt C', 'wait', 'say on']);
  });

  test('it is kept again as soon as it is small enough', async () => {
    const { executed } = await interrupted(async (run) => {
      const session = run.session();
      await call(session, large);
      const { folder } = await call(session, 'remove big\nwrite a.txt A');
      expect(folder?.snapshot).not.toBeNull();
      return answered(saw(await call(session, 'wait')));
    });
    expect(executed).toEqual(['wait']);
  });
});

describe('a fork in the middle of a session', () => {
  const solve: Solve = async (run) => {
    const session = run.session();
    await call(session, `write a.txt ${run.prompt('go')}`);
    await call(session, 'append a.txt 2');
    return answered(saw(await call(session, 'append a.txt 3')));
  };
  const forkAt = async (world: Runtime, place: string, prompts: Record<string, string> = {}) => {
    const at = outline(await eventsOf(world, 'run')).indexOf(place) + 1;
    const end = await (await forkRun(world, 'run', { id: `fork-${at}`, at, prompts })).done;
    expect(await replayRun(world, `fork-${at}`)).toMatchObject({ complete: true, isSame: true });
    return textOf(end);
  };

  test('has the folder as it was there, whatever it would ask for now', async () => {
    const { world, executed } = counting(solve);
    await (await startRun(world, oddRun())).done;
    executed.splice(0);
    expect(await forkAt(world, 'main#1 exec-end ok', { go: 'run' })).toBe('a.txt=go23');
    expect(executed).toEqual(['append a.txt 2', 'append a.txt 3']);
  });

  test('keeps what it shares when its parent is deleted', async () => {
    const { world } = counting(solve);
    await (await startRun(world, oddRun())).done;
    expect(await forkAt(world, 'main#2 exec-end ok')).toBe('a.txt=go23');
    await world.store.delete('run');
    const [fork] = await world.store.list();
    expect(fork?.id).toMatch(/^fork/);
    expect(await replayRun(world, fork?.id ?? '')).toMatchObject({ complete: true, isSame: true });
  });

  test('what is executed again to make the folder is what the journal says, not what the fork would ask for', async () => {
    const grown: Solve = async (run) => {
      const session = run.session();
      await call(session, `fill big ${17 * mebibyte}\nwrite a.txt ${run.prompt('go')}`);
      return answered(saw(await call(session, 'append a.txt !')));
    };
    const { world, executed } = counting(grown);
    await (await startRun(world, oddRun())).done;
    executed.splice(0);
    const text = await forkAt(world, 'main#1 exec-end ok', { go: 'run' });
    expect(text).toBe(`a.txt=go! big=${17 * mebibyte}`);
    expect(executed).toHaveLength(2);
  });
});

test('a folder of many files costs what changes in it', async () => {
  const { world, folder } = counting(async (run) => {
    const session = run.session();
    const noise = (n: number) =>
      Array.from({ length: 4096 }, (_, at) => String.fromCharCode(97 + ((at * at * (n + 7)) % 23))).join('');
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`data/${n}.txt`, noise(n)]));
    await session.exec({ language: 'python', source: 'say made', files });
    for (let n = 0; n < 30; n += 1) await call(session, `write data/${n}.txt ${n}`);
    return answered('');
  });
  await (await startRun(world, oddRun())).done;
  await world.store.close();
  const bytes = statSync(join(folder, 'polya.db')).size;
  expect(bytes).toBeLessThan(3 * mebibyte);
  expect(bytes).toBeGreaterThan(50_000);
});
