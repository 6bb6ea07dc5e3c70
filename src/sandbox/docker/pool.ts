/** Keeps containers warm: clears one whose cell is done, and hands it to the next cell that it fits. */
// A container that is not surely clean is removed. One that waits keeps no process alive, and ends with its stdin.
import { availableParallelism } from 'node:os';
import { Writable } from 'node:stream';
import { UnavailableError } from '../../core/errors.ts';
import { type Cell, CellLost, type CellSpec, type Job, type StagedFile } from '../backend.ts';
import { type Connection, lastWords, RunnerCell } from '../cell.ts';
import { pipesInside } from '../pair.ts';
import { type Container, type Ending, startContainer } from './container.ts';
import type { ChangeableOptions, Site, SitePlan } from './container-options.ts';
import { changeableOptions, planOf, shapeOf } from './container-options.ts';
import type { Engine } from './engine.ts';

export type PoolOptions = {
  readonly idleMs?: number;
  /** How many containers may wait to be used again. */
  readonly most?: number;
  /** A container that needs longer to be cleared is removed. */
  readonly cleanWithinMs?: number;
};

/** A container and what it is set to now. */
type Member = ContainerCell & { readonly shape: string; settings: ChangeableOptions };
type Wanted = { readonly plan: SitePlan; readonly shape: string; readonly settings: ChangeableOptions };

const openPools = new Set<ContainerPool>();
let isWatchingTheEnd = false;

export class ContainerPool {
  readonly #site: Site;
  readonly #idleMs: number;
  readonly #most: number;
  readonly #cleanWithinMs: number;
  /** The one that came last is the first to go out again: its memory is the warmest. */
  readonly #idle = new Map<Member, NodeJS.Timeout>();
  readonly #leaving = new Set<Promise<void>>();
  #canChange = true;
  #isClosed = false;

  constructor(site: Site, options: PoolOptions = {}) {
    this.#site = site;
    // A model often thinks for a minute before it runs its next program.
    this.#idleMs = options.idleMs ?? 120_000;
    // As many as there are workers in a batch; and a compiler and its program want different ones.
    this.#most = options.most ?? Math.max(2, availableParallelism());
    this.#cleanWithinMs = options.cleanWithinMs ?? 1_000;
  }

  async open(spec: CellSpec): Promise<Cell> {
    const plan = planOf(this.#site, spec);
    const wanted = { plan, shape: shapeOf(plan), settings: changeableOptions(plan) };
    for (let member = this.#takeFitting(wanted); member !== null; member = this.#takeFitting(wanted)) {
      if (await this.#prepare(member, wanted)) {
        member.cell.keep(spec.kept);
        return this.#lend(member, spec);
      }
      this.#dismiss(member);
    }
    const opened = await openContainerCell(this.#site.engine, plan, spec.kept);
    return this.#lend({ ...opened, shape: wanted.shape, settings: wanted.settings }, spec);
  }

  /** Removes what waits. Cells are opened afterwards as well, but nothing is kept any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    openPools.delete(this);
    for (const member of this.#idle.keys()) this.#dismiss(member);
    await Promise.all(this.#leaving);
  }

  /** One that needs no change, if there is one. It is not idle any more. */
  #takeFitting({ shape, settings }: Wanted): Member | null {
    const fitting = [...this.#idle.keys()].reverse().filter((member) => member.shape === shape);
    const equal = fitting.find((member) => isEqual(member.settings, settings));
    const member = equal ?? (this.#canChange ? fitting[0] : undefined);
    if (member === undefined) return null;
    this.#withdraw(member);
    return member;
  }

  /** A container that waited is not trusted to be still what it was. */
  async #prepare(member: Member, { settings }: Wanted): Promise<boolean> {
    if (!isEqual(member.settings, settings)) {
      try {
        await member.container.change(settings);
        member.settings = settings;
      } catch {
        // The engine cannot: from now on only equal ones are handed on.
        this.#canChange = false;
        return false;
      }
    }
    return member.cell.renew(this.#cleanWithinMs);
  }

  /** As a cell of its user's, whose end is that of the loan. */
  #lend(member: Member, { mounts }: CellSpec): Cell {
    // A pair's pipes are its own, so no other cell could use its containers.
    let isSound = mounts.every(({ target }) => target !== pipesInside);
    let ending: Promise<void> | null = null;
    return {
      run: async (job: Job, signal) => {
        const finished = await member.cell.run(job, signal);
        if (finished.step.verdict === 'memory') isSound = false;
        return finished;
      },
      close: () => {
        ending ??= this.#takeBack(member, isSound);
        return ending;
      },
    };
  }

  async #takeBack(member: Member, isSound: boolean): Promise<void> {
    if (this.#isClosed || !isSound || !(await member.cell.renew(this.#cleanWithinMs))) {
      await member.cell.close();
      return;
    }
    // Closed meanwhile, or the process could not end while it waits.
    if (this.#isClosed || !member.container.keepAwake(false)) await member.cell.close();
    else this.#keep(member);
  }

  #keep(member: Member): void {
    closeAtTheEnd(this);
    const timer = setTimeout(() => this.#dismiss(member), this.#idleMs);
    timer.unref();
    this.#idle.set(member, timer);
    // The engine, or its user, may end it.
    void member.cell.ended.then(() => this.#withdraw(member));
    const [oldest] = this.#idle.keys();
    if (this.#idle.size > this.#most && oldest !== undefined) this.#dismiss(oldest);
  }

  #withdraw(member: Member): void {
    clearTimeout(this.#idle.get(member));
    if (this.#idle.delete(member)) member.container.keepAwake(true);
  }

  #dismiss(member: Member): void {
    this.#withdraw(member);
    const leaving: Promise<void> = member.cell.close().finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }
}

function isEqual(one: ChangeableOptions, other: ChangeableOptions): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** For a caller that forgets to close: a process with nothing else to do removes its containers and ends. */
function closeAtTheEnd(pool: ContainerPool): void {
  openPools.add(pool);
  if (!isWatchingTheEnd) process.once('beforeExit', closeAll);
  isWatchingTheEnd = true;
}

function closeAll(): void {
  isWatchingTheEnd = false;
  for (const pool of openPools) void pool.close();
}

type ContainerCell = { readonly container: Container; readonly cell: RunnerCell };

async function openContainerCell(engine: Engine, plan: SitePlan, kept: readonly StagedFile[]) {
  const container = await startContainer(engine, plan);
  // The runner reads its container's own control group: nothing has to be handed over. Its disk is rounded up (site.ts).
  const openFiles = ['ownCgroup', 'spareDisk'].map((name) => ({ name, fd: 0 }));
  return { container, cell: new RunnerCell(connectionTo(container), { openFiles, kept }) };
}

function connectionTo(container: Container): Connection {
  let isHungUp = false;
  let ending: Ending | null = null;
  const complaint = lastWords(container.stderr);
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
    explain: (why) => explain(why, complaint().trim(), ending),
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

function explain(said: string | null, complaint: string, ending: Ending | null): UnavailableError {
  const what = 'A program could not be run in its container.';
  if (said !== null)
    return new UnavailableError({ code: 'cell-failed', what, why: `The runner in it said: ${said}.` });
  const fix = 'Try again. If it happens again, look into the log of the engine and of the kernel.';
  if (complaint !== '') return new UnavailableError({ code: 'cell-failed', what, why: `${complaint}.`, fix });
  const why = `The runner in it was ended from outside (exit status ${ending?.exitCode ?? 'unknown'}).`;
  return new CellLost({ code: 'cell-lost', what, why, fix });
}
