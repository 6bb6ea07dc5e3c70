/** A session in this process: begins, resumes or forks its run, and keeps its folder as the journal says. */
import { dirname, join } from 'node:path';
import { UnavailableError, UserError } from '../../../core/errors.ts';
import type { RunEnd } from '../../../core/event.ts';
import type { Folder } from '../../../core/io.ts';
import { type JsonObject, jsonText } from '../../../core/json.ts';
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
import { isKept, type Manifest, type SessionPlace, sessionsLock } from './manifest.ts';
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

type Keeping = {
  readonly world: World;
  readonly place: SessionPlace;
  readonly workspace: Folder;
  readonly env: Environment;
  readonly log: AppLog;
  readonly observer: Observer;
};

export type Attachment = Keeping & {
  readonly job: SessionJob;
  readonly change: ManifestChange;
  readonly prepared?: PreparedRun;
};

/** `done` of the handle resolves when the folder is complete, too. Throws what makes it impossible to begin. */
export async function attachSession({ job, change, prepared, ...keeping }: Attachment): Promise<RunHandle> {
  const { world, place, log } = keeping;
  const { name } = place.manifest;
  if (job.how !== 'start') {
    // Of two commands at once, the later one changes neither manifest nor settings of the first.
    const row = await world.store.get(job.how === 'resume' ? job.run : job.parent);
    if (row?.owner) throw runsAlready(name, row.owner.pid, 'Another command let it go on meanwhile.');
  }
  const keeper = await keepSession(keeping, job.how === 'resume' ? job.run : job.spec.id, change);
  const handle = await beginJob(world, job, keeper.observer, prepared);
  log('INFO', `${name}: run ${handle.id} begins (${job.how})`);
  await keeper.begin();
  return { ...handle, done: keeper.until(handle.done) };
}

export function runsAlready(name: string, pid: number | undefined, why?: string): UserError {
  return new UserError({
    code: 'session-running',
    what: `The session ${name} runs already, in process ${pid}.`,
    why,
    fix: `Watch it with \`polya ahc status ${name} --watch\`, or stop it first: \`polya ahc stop ${name}\`.`,
  });
}

export type Keeper = Awaited<ReturnType<typeof keepSession>>;

/** Keeps the folder of a session while its caller runs `runId`. */
export async function keepSession(keeping: Keeping, runId: string, change: ManifestChange = {}) {
  const { world, place, observer, log } = keeping;
  await untilAlone(place.manifest, world);
  const runs = place.manifest.runs.includes(runId) ? place.manifest.runs : [...place.manifest.runs, runId];
  const manifest = { ...place.manifest, ...change, runs, writer: { ...world.owner } };
  // From here on no other process marks this session as crashed.
  await exclusively(
    sessionsLock(place.folder.path),
    () => writeWholeSync(join(place.folder.path, files.manifest), jsonText(manifest)),
    dirname(place.folder.path),
  );
  const writer = writerFor({ ...keeping, place: { ...place, manifest } });
  const begin = async () => writer.begin((await readJournal(world.store, runId)).events);
  const tell: AppLog = (level, text) => log(level, `${manifest.name}: ${text}`);
  const keepingObserver: Observer = {
    ...observer,
    onEvent: (event) => {
      writer.onEvent(event);
      observer.onEvent?.(event);
    },
    onNotice: (notice) => {
      tell('WARNING', notice);
      observer.onNotice?.(notice);
    },
  };
  return {
    /** Must see every event of the run. */
    observer: keepingObserver,
    /** Called when the run exists: writes what the folder lacks. */
    begin,
    /** Resolves or rejects as `done`, when the folder is complete. */
    until: <End extends RunEnd | null>(done: Promise<End>) => untilWritten(done, writer, tell),
    /** For a run that ended in another process: writes what its folder lacks. */
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
  for (let waitedMs = 0; writer?.pid !== owner.pid && isKept(manifest, row); waitedMs += lookEveryMs) {
    if (waitedMs > patienceMs) {
      throw new UnavailableError({
        code: 'session-still-writing',
        what: `Process ${writer?.pid} still writes the files of the session ${name}.`,
        why: 'Its run has ended; two processes would write over one another.',
        fix: `Wait until it has ended, or end it with \`kill ${writer?.pid}\`.`,
      });
    }
    await io.clock.sleep(lookEveryMs);
  }
}

/**
 * Writes what the files of a session lack whose run has ended. The manifest is left alone: this process may let another
 * one go on with the session.
 */
export async function completeFiles(keeping: Keeping, run: string): Promise<void> {
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
  if (job.how === 'start') return beginRun(world, prepared ?? (await prepareRun(world, job.spec)), observer);
  if (job.how === 'fork') return forkRun(world, job.parent, job.spec, observer);
  if (Object.keys(job.settings).length > 0) {
    const text = settingsMail(job.settings);
    await world.store.post(job.run, { kind: 'tell', text, atMs: world.io.clock.now() });
  }
  return resumeRun(world, job.run, observer);
}

/** As `evolutionMail` reads it. */
export function settingsMail(settings: JsonObject): string {
  return JSON.stringify({ type: 'settings', settings });
}

async function untilWritten<End extends RunEnd | null>(
  done: Promise<End>,
  writer: SessionWriter,
  log: AppLog,
): Promise<End> {
  let end: End;
  try {
    end = await done;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log('CRITICAL', `its run could not go on: ${message}`);
    await writer.fail(message);
    throw error;
  }
  await writer.settle();
  if (!end) return end;
  const status = statusOfEnd(end);
  const why = end.error ? `: ${end.error.message}` : '';
  log(status === 'failed' ? 'ERROR' : 'INFO', `${status}: ${end.outcome}${why}`);
  return end;
}

function writerFor({ place, workspace, env, world, observer, log }: Keeping): SessionWriter {
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
