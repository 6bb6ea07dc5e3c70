/** Gives the rows of a run-set out to the workers of a store that several hosts share, where there are some and the rows fit. */
import { realpath } from 'node:fs/promises';
import { UserError } from '../core/errors.ts';
import type { Header } from '../core/event.ts';
import type { LiveWorker } from '../core/fleet.ts';
import { canonicalJson } from '../core/json.ts';
import type { Portability } from '../core/problem.ts';
import { localFiles } from '../io/local-files.ts';
import { isInCatalogue } from '../models/catalogue.ts';
import type { Journals } from '../open/options.ts';
import { followJournal } from '../run/load.ts';
import { mismatchReason, needsOf, pinnedReason } from '../studies/fleet/fits.ts';
import { RowAssigner } from '../studies/fleet/given-rows.ts';
import { type PackedFiles, packFiles } from '../studies/fleet/sent-files.ts';
import type { PreparedRows, RowRunner } from '../studies/run-set/execute.ts';
import { type RunSet, runIdOf } from '../studies/run-set/plan.ts';
import { count, oneLine } from '../text/format.ts';
import type { Shell } from './contract.ts';
import { withPolya } from './journals.ts';
import { sharedStoreIn } from './shared-store.ts';

/** None: the rows are this process's. */
export async function liveWorkers(
  shell: Shell,
  { here, dryRun }: { readonly here?: boolean; readonly dryRun?: boolean },
): Promise<readonly LiveWorker[]> {
  if (here || dryRun || !sharedStoreIn(shell.env)) return [];
  const workers =
    (await withPolya(shell, async ({ world }) => (await world.store.fleet?.())?.workers())) ?? [];
  // Said first: what is lacking now, a key for example, is lacking on this host.
  if (workers.length === 0) shell.err.write('No worker is there: the rows are done by this process.\n');
  return workers;
}

type Rows = { readonly set: RunSet; readonly prepared: PreparedRows };

/** Why the set has to be done by this process; null where other hosts can take its rows. Asked before anything is written. */
export async function localOnlyReason({ world }: Journals, { set, prepared }: Rows): Promise<string | null> {
  for (const [index, { name }] of set.plan.rows.entries()) {
    const header = await headerOf(world, { set, prepared }, index);
    const why = header && (await notPortableReason(world, header));
    if (why) return `Row ${index + 1} (${oneLine(name)}) stays on this host: ${why}.`;
  }
  return null;
}

async function notPortableReason(runtime: Journals['world'], header: Header): Promise<string | null> {
  const pinned = pinnedReason(header, await runtime.family(header.problem.family, header.code));
  if (pinned !== null) return pinned;
  const request = await filesOf(runtime, header);
  return typeof request === 'string' ? request : null;
}

async function problemPortability(world: Journals['world'], { problem, code }: Header): Promise<Portability> {
  const { travels } = await world.family(problem.family, code);
  return typeof travels === 'function' ? travels(problem) : {};
}

/** What rows with the same problem have in common is read once. */
const known = new WeakMap<Journals['world'], Map<string, Promise<PackedFiles | string>>>();

async function filesOf(runtime: Journals['world'], header: Header): Promise<PackedFiles | string> {
  const { family, reference, contentHash } = header.problem;
  const key = canonicalJson([family, reference, contentHash]);
  const ofWorld = known.get(runtime) ?? new Map<string, Promise<PackedFiles | string>>();
  known.set(runtime, ofWorld);
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  const read = async () =>
    packFiles(await problemPortability(runtime, header), localFiles('.').read, runtime.redact, real);
  const files = ofWorld.get(key) ?? read();
  ofWorld.set(key, files);
  return files;
}

export async function assignRows(
  shell: Shell,
  { world }: Journals,
  { set, prepared }: Rows,
  workers: readonly LiveWorker[],
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
    const { languages } = await problemPortability(world, own);
    return needsOf(own, (spec) => !isInCatalogue(spec), languages);
  };
  const files = async (index: number): Promise<PackedFiles> => {
    const request = await filesOf(world, await header(index));
    if (typeof request !== 'string') return request;
    // It was looked at before.
    const what = `Row ${index + 1} cannot be given out any more: ${request}.`;
    throw new UserError({ code: 'row-stays-here', what, fix: 'Put its files back, or do it `--here`.' });
  };
  const waiting = new Map<string, number>();
  for (const index of set.plan.rows.keys()) {
    const needed = await needs(index);
    const reasons = workers.map((worker) => [worker.host, mismatchReason(needed, worker)] as const);
    if (reasons.some(([, why]) => why === null)) continue;
    const why = reasons.map(([host, reason]) => `${host}: ${reason}`).join('; ');
    waiting.set(why, (waiting.get(why) ?? 0) + 1);
  }
  const hosts = new Set(workers.map(({ host }) => host)).size;
  shell.err.write(`Given out to ${count(workers.length, 'worker')} on ${count(hosts, 'host')}.\n`);
  for (const [why, rows] of waiting)
    shell.err.write(`${count(rows, 'row')} will wait until a worker comes that can take them (${why}).\n`);
  let isSingle = false;
  const onAlone = (): void => {
    if (!isSingle) shell.err.write('No worker is there any more: the rows wait until one comes.\n');
    isSingle = true;
  };
  let isGone = false;
  const onStore = (error: Error | null): void => {
    if (error && !isGone) shell.err.write(`${oneLine(error.message)} Waiting for it.\n`);
    if (!error && isGone) shell.err.write('The store is there again.\n');
    isGone = error !== null;
  };
  return new RowAssigner(world, set, prepared, { fleet, needsOf: needs, filesOf: files, onAlone, onStore });
}

/** Who brings the rows of a set that is gone on with to their ends. Throws `UserError` where they stay on this host. */
export async function resumedBy(
  shell: Shell,
  polya: Journals,
  rows: Rows,
  workers: readonly LiveWorker[],
  command: string,
): Promise<() => Promise<RowRunner | undefined>> {
  if (workers.length === 0) return async () => undefined;
  const remaining = await localOnlyReason(polya, rows);
  if (!remaining) return () => assignRows(shell, polya, rows, workers);
  const fix = `\`${shell.calledAs} ${command} ${rows.set.id} --here\` goes on with the set in this process.`;
  throw new UserError({ code: 'row-stays-here', what: remaining, fix });
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
