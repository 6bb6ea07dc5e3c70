/**
 * A session in this process: begins, resumes or forks its run, and keeps its folder as the journal says. It knows nothing
 * of terminals and of other processes.
 */

import { join } from 'node:path';
import { UnavailableError, UserError } from '../../../core/errors.ts';
import type { RunEnd } from '../../../core/event.ts';
import type { Folder } from '../../../core/io.ts';
import type { JsonObject } from '../../../core/json.ts';
import { exclusively } from '../../../io/exclusive.ts';
import type { Environment } from '../../../io/home.ts';
import { writeWholeSync } from '../../../io/write-whole.ts';
import { type ForkSpec, forkRun } from '../../../run/fork.ts';
import type { RunHandle } from '../../../run/live.ts';
import { readJournal } from '../../../run/load.ts';
import { resumeRun } from '../../../run/resume.ts';
import { beginRun, type PreparedRun, prepareRun, type RunSpec } from '../../../run/start.ts';
import type { Observer, World } from '../../../run/world.ts';
import { type AppLog, maskOf } from './log.ts';
import { runOf } from './look.ts';
import { isKept, type Manifest, manifestText, type SessionPlace, sessionsLock } from './manifest.ts';
import { files } from './names.ts';
import { statusOfEnd } from './projection.ts';
import { SessionWriter } from './writer.ts';

/** How a session begins or goes on: plain data, which can be sent to another process. It holds no key. */
export type SessionJob =
  | { readonly how: 'start'; readonly spec: RunSpec }
  /** `settings`: those of the agent that hold from here on. */
  | { readonly how: 'resume'; readonly run: string; readonly settings: JsonObject }
  | { readonly how: 'fork'; readonly parent: string; readonly spec: ForkSpec };

/** Fields of the manifest that this life overrides. */
export type ManifestChange = Partial<
  Pick<Manifest, 'settings' | 'configured' | 'configuration' | 'keepsFiles' | 'maxLogBytes' | 'logsAreJson'>
>;

export type Keeping = {
  readonly world: World;
  readonly place: SessionPlace;
  readonly workspace: Folder;
  readonly change: ManifestChange;
  readonly env: Environment;
  readonly log: AppLog;
  readonly observer: Observer;
};

export type Attachment = Keeping & { readonly job: SessionJob; readonly prepared?: PreparedRun };

/** `done` of the handle resolves when the folder is complete, too. Throws what makes it impossible to begin. */
export async function attachSession({ job, prepared, ...keeping }: Attachment): Promise<RunHandle> {
  const { world, place, log } = keeping;
  await refuseRunning(world, place, job);
  const keeper = await keepSession(keeping, job.how === 'resume' ? job.run : job.spec.id);
  const handle = await beginJob(world, job, keeper.observer, prepared);
  log('INFO', `${place.manifest.name}: run ${handle.id} begins (${job.how})`);
  await keeper.begin();
  return { ...handle, done: keeper.until(handle.done) };
}

/** Of two commands at once, the later one changes neither manifest nor settings of the first. */
async function refuseRunning({ store }: World, { manifest }: SessionPlace, job: SessionJob): Promise<void> {
  if (job.how === 'start') return;
  const row = await store.get(job.how === 'resume' ? job.run : job.parent);
  if (!row?.owner) return;
  throw runsAlready(manifest.name, row.owner.pid, 'Another command let it go on meanwhile.');
}

export function runsAlready(name: string, pid: number | undefined, why?: string): UserError {
  return new UserError({
    code: 'session-running',
    what: `The session ${name} runs already, in process ${pid}.`,
    why,
    fix: `Watch it with \`polya ahc status ${name} --watch\`, or stop it first: \`polya ahc stop ${name}\`.`,
  });
}

export type Keeper = {
  /** Must see every event of the run. */
  readonly observer: Observer;
  /** Called when the run exists: writes what the folder lacks. */
  begin(): Promise<void>;
  /** Resolves or rejects as `done`, when the folder is complete. */
  until(done: Promise<RunEnd>): Promise<RunEnd>;
  /** For a run that ended in another process: writes what its folder lacks. */
  complete(): Promise<void>;
};

/** Keeps the folder of a session while its caller runs `runId`. */
export async function keepSession(keeping: Keeping, runId: string): Promise<Keeper> {
  const { world, place, change, observer, log } = keeping;
  await untilAlone(place.manifest, world);
  const runs = place.manifest.runs.includes(runId) ? place.manifest.runs : [...place.manifest.runs, runId];
  const manifest = { ...place.manifest, ...change, runs, writer: { ...world.owner } };
  // From here on no other process marks this session as crashed.
  const manifestFile = join(place.folder.path, files.manifest);
  await exclusively(sessionsLock(place.folder.path), () =>
    writeWholeSync(manifestFile, manifestText(manifest)),
  );
  const writer = writerFor({ ...keeping, place: { ...place, manifest } });
  const begin = async () => writer.begin((await readJournal(world.store, runId)).events);
  const tell: AppLog = (level, text) => log(level, `${manifest.name}: ${text}`);
  return {
    observer: {
      ...observer,
      onEvent: (event) => {
        writer.onEvent(event);
        observer.onEvent?.(event);
      },
      onNotice: (notice) => {
        tell('WARNING', notice);
        observer.onNotice?.(notice);
      },
    },
    begin,
    until: (done) => untilWritten(done, writer, tell),
    complete: async () => {
      await begin();
      await writer.settle();
    },
  };
}

const patienceMs = 30_000;
const lookEveryMs = 50;

/** The process of the life before may still be writing files. */
async function untilAlone(manifest: Manifest, { owner, io, store }: World): Promise<void> {
  const { name, writer } = manifest;
  const row = await runOf(store, manifest);
  const isThere = (): boolean => writer?.pid !== owner.pid && isKept(manifest, row);
  for (let waitedMs = 0; isThere(); waitedMs += lookEveryMs) {
    if (waitedMs > patienceMs) throw stillWritten(name, writer?.pid ?? 0);
    await io.clock.sleep(lookEveryMs);
  }
}

function stillWritten(name: string, pid: number): UnavailableError {
  return new UnavailableError({
    code: 'session-still-writing',
    what: `Process ${pid} still writes the files of the session ${name}.`,
    why: 'Its run has ended; two processes would write over one another.',
    fix: `Wait until it has ended, or end it with \`kill ${pid}\`.`,
  });
}

/**
 * Writes what the files of a session lack whose run has ended. The manifest is left alone: this process may let another
 * one go on with the session.
 */
export async function completeFiles(keeping: Omit<Keeping, 'change'>, run: string): Promise<void> {
  const { place, world } = keeping;
  await untilAlone(place.manifest, world);
  const writer = writerFor(keeping);
  await writer.begin((await readJournal(world.store, run)).events);
  await writer.settle();
}

/** `prepared`: of a new run that this process has checked already. */
export async function beginJob(
  world: World,
  job: SessionJob,
  observer: Observer = {},
  prepared?: PreparedRun,
): Promise<RunHandle> {
  switch (job.how) {
    case 'start':
      return beginRun(world, prepared ?? (await prepareRun(world, job.spec)), observer);
    case 'fork':
      return forkRun(world, job.parent, job.spec, observer);
    default:
      if (Object.keys(job.settings).length > 0) {
        const text = settingsMail(job.settings);
        await world.store.post(job.run, { kind: 'tell', text, atMs: world.io.clock.now() });
      }
      return resumeRun(world, job.run, observer);
  }
}

/** As `evolutionMail` reads it. */
export function settingsMail(settings: JsonObject): string {
  return JSON.stringify({ type: 'settings', settings });
}

async function untilWritten(done: Promise<RunEnd>, writer: SessionWriter, log: AppLog): Promise<RunEnd> {
  let end: RunEnd;
  try {
    end = await done;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log('CRITICAL', `its run could not go on: ${message}`);
    await writer.fail(message);
    throw error;
  }
  await writer.settle();
  const level = statusOfEnd(end) === 'failed' ? 'ERROR' : 'INFO';
  log(level, `${statusOfEnd(end)}: ${end.outcome}${end.error ? `: ${end.error.message}` : ''}`);
  return end;
}

function writerFor({ place, workspace, env, world, observer, log }: Omit<Keeping, 'change'>): SessionWriter {
  return new SessionWriter({
    place,
    workspace,
    now: world.io.clock.now,
    mask: maskOf(env),
    onTrouble: (message) => {
      log('ERROR', `${place.manifest.name}: ${message}`);
      observer.onNotice?.(`The session's files fall behind its journal: ${message}`);
    },
  });
}
