/** Gives the rows of a run-set out to the workers of a store that several hosts share, where there are some and the rows fit. */
import { realpath } from 'node:fs/promises';
import { UserError } from '../core/errors.ts';
import type { Header } from '../core/event.ts';
import type { LivingWorker } from '../core/fleet.ts';
import { canonicalJson } from '../core/json.ts';
import type { Travel } from '../core/problem.ts';
import { localFiles } from '../io/local-files.ts';
import { isCatalogued } from '../models/catalogue.ts';
import type { Journals } from '../open/options.ts';
import { followJournal } from '../run/load.ts';
import { needsOf, pinnedBecause, unfitBecause } from '../studies/fleet/fits.ts';
import { GivenRows } from '../studies/fleet/given-rows.ts';
import { type Packed, packed } from '../studies/fleet/sent-files.ts';
import type { PreparedRows, RowRunner } from '../studies/run-set/execute.ts';
import { type RunSet, runIdOf } from '../studies/run-set/plan.ts';
import { count, oneLine } from '../text/format.ts';
import type { Shell } from './contract.ts';
import { withPolya } from './journals.ts';
import { sharedStoreIn } from './shared-store.ts';

/** None: the rows are this process's. */
export async function livingWorkers(
  shell: Shell,
  { here, dryRun }: { readonly here?: boolean; readonly dryRun?: boolean },
): Promise<readonly LivingWorker[]> {
  if (here || dryRun || !sharedStoreIn(shell.env)) return [];
  const workers =
    (await withPolya(shell, async ({ world }) => (await world.store.fleet?.())?.workers())) ?? [];
  // Said first: what is lacking now, a key for example, is lacking on this host.
  if (workers.length === 0) shell.err.write('No worker is there: the rows are done by this process.\n');
  return workers;
}

type Rows = { readonly set: RunSet; readonly prepared: PreparedRows };

/** Why the set has to be done by this process; null where other hosts can take its rows. Asked before anything is written. */
export async function staysHere({ world }: Journals, { set, prepared }: Rows): Promise<string | null> {
  for (const [index, { name }] of set.plan.rows.entries()) {
    const header = await headerOf(world, { set, prepared }, index);
    const why = header && (await staysBecause(world, header));
    if (why) return `Row ${index + 1} (${oneLine(name)}) stays on this host: ${why}.`;
  }
  return null;
}

async function staysBecause(world: Journals['world'], header: Header): Promise<string | null> {
  const pinned = pinnedBecause(header, await world.family(header.problem.family, header.code));
  if (pinned !== null) return pinned;
  const sent = await filesOf(world, header);
  return typeof sent === 'string' ? sent : null;
}

async function travelOf(world: Journals['world'], { problem, code }: Header): Promise<Travel> {
  const { travels } = await world.family(problem.family, code);
  return typeof travels === 'function' ? travels(problem) : {};
}

/** What rows with the same problem have in common is read once. */
const known = new WeakMap<Journals['world'], Map<string, Promise<Packed | string>>>();

async function filesOf(world: Journals['world'], header: Header): Promise<Packed | string> {
  const { family, reference, contentHash } = header.problem;
  const key = canonicalJson([family, reference, contentHash]);
  const ofWorld = known.get(world) ?? new Map<string, Promise<Packed | string>>();
  known.set(world, ofWorld);
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  const read = async () => packed(await travelOf(world, header), localFiles('.').read, world.redact, real);
  const files = ofWorld.get(key) ?? read();
  ofWorld.set(key, files);
  return files;
}

export async function givenOut(
  shell: Shell,
  { world }: Journals,
  { set, prepared }: Rows,
  workers: readonly LivingWorker[],
): Promise<RowRunner> {
  const fleet = await world.store.fleet?.();
  if (!fleet) throw new Error('This store gives nothing out.');
  const header = async (index: number): Promise<Header> => {
    const found = await headerOf(world, { set, prepared }, index);
    if (!found) throw new Error(`Row ${index + 1} of ${set.id} has no header.`);
    return found;
  };
  const needs = async (index: number) => {
    const own = await header(index);
    const { languages } = await travelOf(world, own);
    return needsOf(own, (spec) => !isCatalogued(spec), languages);
  };
  const files = async (index: number): Promise<Packed> => {
    const sent = await filesOf(world, await header(index));
    if (typeof sent !== 'string') return sent;
    // It was looked at before.
    const what = `Row ${index + 1} cannot be given out any more: ${sent}.`;
    throw new UserError({ code: 'row-stays-here', what, fix: 'Put its files back, or do it `--here`.' });
  };
  const waiting = new Map<string, number>();
  for (const index of set.plan.rows.keys()) {
    const needed = await needs(index);
    const reasons = workers.map((worker) => [worker.host, unfitBecause(needed, worker)] as const);
    if (reasons.some(([, why]) => why === null)) continue;
    const why = reasons.map(([host, reason]) => `${host}: ${reason}`).join('; ');
    waiting.set(why, (waiting.get(why) ?? 0) + 1);
  }
  const hosts = new Set(workers.map(({ host }) => host)).size;
  shell.err.write(`Given out to ${count(workers.length, 'worker')} on ${count(hosts, 'host')}.\n`);
  for (const [why, rows] of waiting)
    shell.err.write(`${count(rows, 'row')} will wait until a worker comes that can take them (${why}).\n`);
  let isAlone = false;
  const onAlone = (): void => {
    if (!isAlone) shell.err.write('No worker is there any more: the rows wait until one comes.\n');
    isAlone = true;
  };
  let isGone = false;
  const onStore = (trouble: Error | null): void => {
    if (trouble && !isGone) shell.err.write(`${oneLine(trouble.message)} Waiting for it.\n`);
    if (!trouble && isGone) shell.err.write('The store is there again.\n');
    isGone = trouble !== null;
  };
  return new GivenRows(world, set, prepared, { fleet, needsOf: needs, filesOf: files, onAlone, onStore });
}

/** Who brings the rows of a set that is gone on with to their ends. Throws `UserError` where they stay on this host. */
export async function resumedBy(
  shell: Shell,
  polya: Journals,
  rows: Rows,
  workers: readonly LivingWorker[],
  command: string,
): Promise<() => Promise<RowRunner | undefined>> {
  if (workers.length === 0) return async () => undefined;
  const stays = await staysHere(polya, rows);
  if (!stays) return () => givenOut(shell, polya, rows, workers);
  const fix = `\`${shell.calledAs} ${command} ${rows.set.id} --here\` goes on with the set in this process.`;
  throw new UserError({ code: 'row-stays-here', what: stays, fix });
}

/** If a row has begun, its journal has its header. */
async function headerOf(
  { store }: Journals['world'],
  { set, prepared }: Rows,
  index: number,
): Promise<Header | null> {
  const fresh = prepared.get(index);
  if (fresh) return fresh.header;
  const [first] = (await followJournal(store, runIdOf(set, index))(1)).events;
  return first?.kind === 'run-start' ? first.body : null;
}
