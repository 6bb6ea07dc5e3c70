/**
 * `polya demo fleet`: two workers and a Postgres of its own on this machine, the rows of the other demos that can go to any host
 * (all but contests), one worker killed on the way, and what the journals then say of it.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, UnavailableError } from '../../core/errors.ts';
import type { Fleet, LivingWorker } from '../../core/fleet.ts';
import { holdsSecret } from '../../core/secrets.ts';
import type { Journals } from '../../open/options.ts';
import { readJournal } from '../../run/load.ts';
import { entry } from '../../server/commands.ts';
import { beginSet, prepareRows } from '../../studies/run-set/execute.ts';
import { type RunSet, runIdOf } from '../../studies/run-set/plan.ts';
import { kindLabels } from '../../text/labels.ts';
import { type DemoOptions, print, type Shell } from '../contract.ts';
import { liveSet } from '../drive-set.ts';
import { givenOut } from '../giving-out.ts';
import { withPolya } from '../journals.ts';
import { withView } from '../viewing.ts';
import { countedFrom, type Told, toldText } from './fleet-told.ts';
import { type Kept, kept } from './kept.ts';
import { postgresPrograms, startPostgres } from './own-postgres.ts';
import { actsOf, leftOutText, scenesOf, setOfScenes } from './scenes.ts';

const hosts = ['host-a', 'host-b'] as const;
const slots = 2;
const lookEveryMs = 20;
/** Rows, so that the hosts have something to show. */
const endedBefore = 2;
const intro = `Two workers and a Postgres on this machine, each worker as a host of its own. One is killed on the way.
The model is a SCRIPT: its replies were written ahead, no model is asked and nothing is paid.
The processes, the database, the SIGKILL and the journals are real.
`;

/** Nothing of it is left afterwards, however it ends. */
export async function playFleet(shell: Shell, { isJson, backend, view }: DemoOptions): Promise<number> {
  postgresPrograms(shell.env);
  shell.err.write(`\n${shell.err.paint('strong', 'A fleet')}\n${intro}\n`);
  const begun: Kept[] = [];
  const stopping = new AbortController();
  const release = shell.onInterrupt(() => stopping.abort());
  try {
    const folder = mkdtempSync(join(tmpdir(), 'polya-fleet-'));
    const { url, server } = await startPostgres(shell, folder, stopping.signal);
    begun.push(server);
    const env = { ...shell.env, POLYA_STORE: url, POLYA_HOME: join(folder, '.polya') };
    const there = { ...shell, env, knownStores: undefined };
    const opening = backend === undefined ? {} : { backend };
    const work = () =>
      withPolya(
        there,
        async (polya) => {
          const words = ['worker', '--slots', `${slots}`, ...(backend ? ['--backend', backend] : [])];
          for (const host of hosts) {
            const own = { POLYA_HOME: join(folder, '.polya'), POLYA_HOST: host, NO_COLOR: '1' };
            const env = { ...withoutSecrets(there.env), ...own };
            begun.push(kept([process.execPath, entry, ...words], { env, folder }));
          }
          const fleet = await polya.world.store.fleet?.();
          if (!fleet) throw new Error('This store gives nothing out.');
          const workers = await bothThere(fleet, begun, stopping.signal);
          const begin = (): void => {
            stopping.signal.throwIfAborted();
            release();
          };
          return play(there, polya, { workers, isJson, begin });
        },
        opening,
      );
    return view ? await withView(there, work, '#/hosts') : await work();
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return exitCodes.cancelled;
  } finally {
    release();
    // The server last: workers say that they leave.
    for (const each of begun.toReversed()) await each.end();
  }
}

/** The workers are to have no keys. */
function withoutSecrets(env: Shell['env']): Shell['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !holdsSecret(name, value)));
}

async function bothThere(fleet: Fleet, children: readonly Kept[], signal: AbortSignal) {
  for (;;) {
    signal.throwIfAborted();
    const workers = await fleet.workers();
    if (workers.length === hosts.length) return workers;
    const ended = children.find((child) => child.hasEnded());
    const words = { what: 'A worker of the demo did not start.', why: ended?.said().trim() };
    if (ended) throw new UnavailableError({ code: 'worker-not-started', ...words });
    await sleep(lookEveryMs);
  }
}

type Play = {
  readonly workers: readonly LivingWorker[];
  readonly isJson: boolean;
  /** From now on the set is what Ctrl-C stops. */
  readonly begin: () => void;
};

async function play(shell: Shell, polya: Journals, { workers, isJson, begin }: Play): Promise<number> {
  const { world } = polya;
  const set = await setOf(shell, polya);
  const prepared = await prepareRows(world, set);
  const runner = await givenOut(shell, polya, { set, prepared }, workers);
  const done = new AbortController();
  let killing: Promise<Killed | null> | null = null;
  begin();
  const result = await liveSet(shell, polya, {
    set,
    start: (observer) => {
      const tell = (index: number, text: string) => observer.observerOf?.(index).onNotice?.(text);
      killing = killOne(polya, { set, workers, signal: done.signal, tell });
      return beginSet(world, set, { prepared, observer, runner });
    },
  }).finally(() => done.abort());
  const killed = await killing;
  if (result.reason === null) return exitCodes.cancelled;
  const journals = result.rows.map(async ({ plan, runId, view }) => {
    const { events } = await readJournal(world.store, runId);
    return { name: plan.name, run: runId, view, events };
  });
  const told: Told = { hosts, killed, ...countedFrom(await Promise.all(journals)) };
  const label = kindLabels.script;
  print(shell.out, isJson ? { demo: 'fleet', label, set: set.id, ...told } : toldText(shell.out, told));
  const isKept = killed !== null && told.lost === 0 && told.paidTwice === 0;
  return isKept ? exitCodes.ok : exitCodes.unsolved;
}

/** Rows of the other demos that may go to any host. */
async function setOf(shell: Shell, polya: Journals): Promise<RunSet> {
  const { world } = polya;
  const scenes = [];
  for (const scene of await scenesOf(await actsOf(shell, 'all'), polya)) {
    const families = await Promise.all(scene.rows.map(({ family }) => world.family(family)));
    if (!families.every(({ travels }) => travels)) continue;
    shell.err.write(leftOutText(shell.calledAs, scene.leftOut));
    scenes.push(scene);
  }
  const set = setOfScenes(polya, 'fleet', scenes);
  return { ...set, plan: { ...set.plan, concurrency: hosts.length * slots } };
}

export type Killed = { readonly host: string; readonly rows: readonly string[] };

type Killing = {
  readonly set: RunSet;
  readonly workers: readonly LivingWorker[];
  /** The set has ended. */
  readonly signal: AbortSignal;
  /** Of a row. */
  readonly tell: (index: number, text: string) => void;
};

/** The first worker that is found in the middle of a row, where a call has been paid. Null where none was in time. */
async function killOne({ world }: Journals, killing: Killing): Promise<Killed | null> {
  const { set, workers, signal, tell } = killing;
  const { store } = world;
  const ids = set.plan.rows.map((_row, index) => runIdOf(set, index));
  const look = async () => (await Promise.all(ids.map((id) => store.get(id)))).filter((row) => row !== null);
  const rowsOf = async ({ host }: LivingWorker): Promise<readonly string[]> =>
    (await look()).filter((row) => row.owner?.host === host && !row.ended).map(({ id }) => id);
  const hasPaid = async (id: string): Promise<boolean> =>
    (await store.events(id)).some(({ kind }) => kind === 'model-response');
  while (!signal.aborted) {
    const isLongEnough = (await look()).filter(({ ended }) => ended).length >= endedBefore;
    for (const worker of isLongEnough ? workers : []) {
      if ((await rowsOf(worker)).length === 0) continue;
      // It is held while we look, so that what is seen is what it is killed at.
      process.kill(worker.pid, 'SIGSTOP');
      const rows = await rowsOf(worker);
      const paid = await Promise.all(rows.map(hasPaid));
      if (paid.includes(true)) {
        process.kill(worker.pid, 'SIGKILL');
        for (const id of rows) tell(ids.indexOf(id), `SIGKILL to ${worker.host}, which has it in hand`);
        return { host: worker.host, rows };
      }
      process.kill(worker.pid, 'SIGCONT');
    }
    await sleep(lookEveryMs);
  }
  return null;
}
