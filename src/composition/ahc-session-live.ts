/**
 * Lets a session live in this process: begins, resumes or forks its run, and keeps its folder as the journal says. Who
 * watches, and whether a terminal is there, is its caller's business.
 */

import { join } from 'node:path';
import { UnavailableError, UserError } from '../core/errors.ts';
import type { RunEnd } from '../core/event.ts';
import type { Folder } from '../core/io.ts';
import type { JsonObject } from '../core/json.ts';
import { files } from '../families/ahc/session/names.ts';
import type { SessionFacts } from '../families/ahc/session/session-facts.ts';
import { statusOfEnd } from '../families/ahc/session/status.ts';
import { exclusively } from '../io/exclusive.ts';
import type { Environment } from '../io/home.ts';
import { writeWholeSync } from '../io/write-whole.ts';
import { type ForkSpec, forkRun } from '../run/fork.ts';
import type { RunHandle } from '../run/live.ts';
import { readJournal } from '../run/load.ts';
import { resumeRun } from '../run/resume.ts';
import { beginRun, prepareRun, type RunSpec } from '../run/start.ts';
import type { Observer, World } from '../run/world.ts';
import { sessionsLock } from './ahc-session-crashed.ts';
import { type AppLog, maskOf, rotatingLog } from './ahc-session-log.ts';
import { isKept, runOf } from './ahc-session-look.ts';
import { type Manifest, manifestText, type SessionPlace } from './ahc-session-manifest.ts';
import { SessionWriter } from './ahc-session-writer.ts';

/** How a session comes to life: plain data, so that it can be handed to another process. It holds no key. */
export type SessionJob =
  | { readonly how: 'start'; readonly spec: RunSpec }
  /** `settings`: those of the agent that hold from here on. */
  | { readonly how: 'resume'; readonly run: string; readonly settings: JsonObject }
  | { readonly how: 'fork'; readonly parent: string; readonly spec: ForkSpec };

/** What of the manifest is another now. */
export type ManifestChange = Partial<
  Pick<Manifest, 'settings' | 'configured' | 'configuration' | 'keepsFiles' | 'maxLogBytes' | 'logsAreJson'>
>;

/** What is needed to keep a session's folder as its journal says. */
export type Keeping = {
  readonly world: World;
  readonly place: SessionPlace;
  readonly workspace: Folder;
  readonly change: ManifestChange;
  readonly env: Environment;
  readonly log: AppLog;
  readonly observer: Observer;
};

export type Attachment = Keeping & { readonly job: SessionJob };

/** Its `done` resolves when the folder is complete too. What makes it impossible to begin is thrown. */
export async function attachSession({ job, ...keeping }: Attachment): Promise<RunHandle> {
  const { world, place, log } = keeping;
  await refuseRunning(world, place, job);
  const keeper = await keepSession(keeping, job.how === 'resume' ? job.run : job.spec.id);
  const handle = await beginJob(world, job, keeper.observer);
  log('INFO', `${place.manifest.name}: run ${handle.id} begins (${job.how})`);
  await keeper.begin();
  return { ...handle, done: keeper.until(handle.done) };
}

/** Begun twice at once: who is late changes neither the manifest of who was first nor its settings. */
async function refuseRunning({ store }: World, { manifest }: SessionPlace, job: SessionJob): Promise<void> {
  if (job.how === 'start') return;
  const row = await store.get(job.how === 'resume' ? job.run : job.parent);
  if (!row?.owner) return;
  throw new UserError({
    what: `The session ${manifest.name} runs already, in process ${row.owner.pid}.`,
    why: 'Another command let it go on meanwhile.',
    fix: `Watch it with \`polya ahc status ${manifest.name} --watch\`, or stop it first: \`polya ahc stop ${manifest.name}\`.`,
  });
}

export type Keeper = {
  /** To be told of everything that happens in the run. */
  readonly observer: Observer;
  /** When the run is there: brings the folder to where its journal is. */
  begin(): Promise<void>;
  /** Resolves as the run does, when the folder is complete. */
  until(done: Promise<RunEnd>): Promise<RunEnd>;
  /** Of a run that ended in another process: what its folder lacks is written now. */
  complete(): Promise<void>;
};

/** Keeps the folder of a session while its run, `runId`, is brought to its end by whoever calls. */
export async function keepSession(keeping: Keeping, runId: string): Promise<Keeper> {
  const { world, place, change, observer, log } = keeping;
  await untilAlone(place.manifest, world);
  const runs = place.manifest.runs.includes(runId) ? place.manifest.runs : [...place.manifest.runs, runId];
  const manifest = { ...place.manifest, ...change, runs, writer: { ...world.owner } };
  // From here on nobody else says that this session is dead.
  const manifestFile = join(place.folder.path, files.manifest);
  await exclusively(sessionsLock(place.folder.path), () =>
    writeWholeSync(manifestFile, manifestText(manifest)),
  );
  const writer = writerFor({ ...keeping, manifest });
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

/** The process of before may still be writing what its run came to. */
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
    what: `Process ${pid} still writes the files of the session ${name}.`,
    why: 'Its run has ended; two processes would write over one another.',
    fix: `Wait until it has ended, or end it with \`kill ${pid}\`.`,
  });
}

/**
 * Writes what the files of a session lack, whose run has ended and whose process could not write all of it. The manifest
 * is left alone: this process lets another one go on with the session.
 */
export async function completeFiles(keeping: Omit<Keeping, 'change'>, run: string): Promise<void> {
  const { place, world } = keeping;
  await untilAlone(place.manifest, world);
  const writer = writerFor({ ...keeping, manifest: place.manifest });
  await writer.begin((await readJournal(world.store, run)).events);
  await writer.settle();
}

/** Brings its run to life. */
export async function beginJob(world: World, job: SessionJob, observer: Observer): Promise<RunHandle> {
  switch (job.how) {
    case 'start':
      return beginRun(world, await prepareRun(world, job.spec), observer);
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

function writerFor({
  place,
  manifest,
  workspace,
  env,
  world,
  observer,
  log,
}: Omit<Keeping, 'change'> & { readonly manifest: Manifest }): SessionWriter {
  return new SessionWriter({
    workspace,
    session: place.folder,
    facts: () => factsOf(manifest, workspace),
    log: rotatingLog({
      file: join(place.folder.path, files.log),
      mostBytes: manifest.maxLogBytes,
      now: world.io.clock.now,
    }),
    logsAreJson: manifest.logsAreJson,
    keepsFiles: manifest.keepsFiles,
    mask: maskOf(env),
    onTrouble: (message) => {
      log('ERROR', `${manifest.name}: ${message}`);
      observer.onNotice?.(`The session's files fall behind its journal: ${message}`);
    },
  });
}

export function factsOf(manifest: Manifest, workspace: Folder): SessionFacts {
  const parts = workspace.path.split('/');
  return {
    id: manifest.id,
    name: manifest.name,
    contest: manifest.contest,
    createdAtMs: manifest.createdAtMs,
    scoring: manifest.scoring,
    direction: manifest.direction,
    workspacePath: parts.slice(-2).join('/'),
    base: parts.slice(0, -2).join('/') || '/',
    problemFile: manifest.problemFile,
    configuration: manifest.configuration,
    runs: manifest.runs,
  };
}
