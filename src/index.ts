/**
 * The composition root and the library's public face: wires the rooms together, once. What it opens can start runs,
 * go on with them, replay and fork them, and read their journals. It reads the environment; the rooms below do not.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { singleCall } from './agents/single-call.ts';
import { toolLoop } from './agents/tool-loop.ts';
import { verifyLoop } from './agents/verify-loop.ts';
import type { Agent } from './core/agent.ts';
import { UserError } from './core/errors.ts';
import type { Event } from './core/event.ts';
import type { Io } from './core/io.ts';
import type { Model } from './core/model.ts';
import type { Family } from './core/problem.ts';
import type { Sandbox } from './core/sandbox.ts';
import type { Store } from './core/store.ts';
import { type AocDesk, aocDesk } from './families/aoc/day.ts';
import { type ExportedFiles, exportRun } from './families/aoc/export.ts';
import { aocFamily } from './families/aoc/family.ts';
import { realSite } from './families/aoc/real-site.ts';
import { siteTextsIn } from './families/aoc/redact.ts';
import type { AocSettings, AocSite } from './families/aoc/sites.ts';

import { plainFamily } from './families/plain/family.ts';

import { systemClock } from './io/clock.ts';

import { cacheFolder, configFolder, type Environment, findHome, makeHome } from './io/home.ts';
import { createIo } from './io/io.ts';
import { type LocalFiles, localFiles } from './io/local-files.ts';
import { readSecretFile } from './io/secret-file.ts';
import { recordCassette } from './models/cassette/record.ts';
import { type ModelConfig, resolveModel } from './models/catalogue.ts';
import type { People, PersonOptions } from './models/manual/manual.ts';
import { practiceEvents } from './practice/events.ts';
import { faults as modelServerFaults } from './practice/models/conduct.ts';
import { puzzles } from './practice/puzzles/index.ts';
import type { PracticeSite } from './practice/site.ts';
import { hashText } from './run/hash.ts';
import { Pacer } from './run/pacing/pacer.ts';
import { type FirstRequest, previewRun as firstRequestOf } from './run/preview.ts';
import type { PreparedRun } from './run/start.ts';
import type { World } from './run/world.ts';
import { chosenSandbox } from './sandbox/choose.ts';
import { lazyStore } from './store/lazy.ts';
import { thisProcess } from './store/owner.ts';
import { openSqliteStore } from './store/sqlite.ts';

export {
  agree,
  type Case,
  type Checked,
  checkCases,
  type EqualOptions,
  equal,
  extract,
  type Miss,
  openAnswers,
  type ProfileName,
  percentProfiles,
  profileNames,
  type Verdict,
} from './answers/index.ts';
export type { Agent, Limits, Run, Solution } from './core/agent.ts';
export { EffectFailed, LimitReached, requireReply, UnavailableError, UserError } from './core/errors.ts';
export { type Event, type Header, positionName, type RunEnd } from './core/event.ts';
export { applyEvent, emptyView, foldRun, type RunView, type Totals } from './core/fold.ts';
export { type Message, type Model, type ModelRequest, textOf, toolCallsOf } from './core/model.ts';
export type { Answer, Family, Problem, ProblemFace, Tool } from './core/problem.ts';
export type { Sandbox } from './core/sandbox.ts';
export type { MailKind, RunRow, Store } from './core/store.ts';
export { metricsCsv } from './families/aoc/csv.ts';
export type { AocDesk, DayQuestion, DayStatus, FetchedDay } from './families/aoc/day.ts';
export { type ErrorType, errorTypes, type Failure, failures } from './families/aoc/error-types.ts';
export type { ExportedFiles } from './families/aoc/export.ts';
export { languageIds as aocLanguages } from './families/aoc/languages.ts';
export { type AocMetrics, aocMetrics } from './families/aoc/metrics.ts';
export { findHome } from './io/home.ts';
export { baseUrlVariableOf, modelForms, modelNameOf } from './models/catalogue.ts';
export { parseModelChoice } from './models/choice.ts';
export {
  describeModel,
  describeProviders,
  type ModelDescription,
  type ProviderDescription,
} from './models/describe.ts';
export { findLocalServers, type LocalServer } from './models/local-servers.ts';
export type { PersonOptions } from './models/manual/manual.ts';
export { type Script, scriptedModel } from './models/scripted.ts';
export { practiceEvents } from './practice/events.ts';
export { faults as modelServerFaults } from './practice/models/conduct.ts';
export { type ForkSpec, forkRun } from './run/fork.ts';
export type { RunHandle } from './run/live.ts';
export { followJournal, readJournal } from './run/load.ts';
export type { FirstRequest } from './run/preview.ts';
export { previewLife } from './run/preview.ts';
export { type Replay, replayRun } from './run/replay.ts';
export { resumeRun } from './run/resume.ts';
export { newRunId } from './run/run-id.ts';
export { readSpending } from './run/spending.ts';
export { beginRun, type PreparedRun, prepareRun, type RunSpec, startRun } from './run/start.ts';
export { overhear, type Speech } from './run/whispers.ts';
export type { Delta, Observer, World } from './run/world.ts';
export { type Probed, probeBackends } from './sandbox/choose.ts';
export { type CleanOptions, cleanMachine } from './sandbox/clean.ts';
export { buildImageHere, imageReport } from './sandbox/docker/set-up.ts';
export { missingNeeds } from './sandbox/needs.ts';
export {
  beginSet,
  resumeSet,
  type SetEnding,
  type SetHandle,
  type SetObserver,
} from './studies/run-set/execute.ts';
export { parseRunSet } from './studies/run-set/file.ts';
export { type RowPlan, type RunSet, type SetPlan, setOf } from './studies/run-set/plan.ts';
export { type PreparedRows, prepareRows } from './studies/run-set/prepare.ts';
export { type RowResult, readRows } from './studies/run-set/rows.ts';

export type PolyaOptions = {
  /** Where to look for `.polya/` from; relative paths of scripts are relative to it. Default: the working folder. */
  readonly folder?: string;
  readonly env?: Environment;
  /** A missing `.polya/` is made as soon as something is to be kept; without it, a missing one is an error. */
  readonly create?: boolean;
  /** Another back-end than the one that is chosen by probing, by its name; default: `POLYA_SANDBOX`. */
  readonly backend?: string;
  /** A sandbox of your own in its place. */
  readonly sandbox?: Sandbox;
  /** Your own, beside those that come with Polya; one of the same name takes its place. */
  readonly agents?: readonly Agent[];
  readonly families?: readonly Family[];
  /** By the name a run calls them by. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Who answers for the model `manual`; without it, in folders and over HTTP only. */
  readonly person?: PersonOptions;
  /** How long the practice site locks an account after a first wrong answer. */
  readonly practiceCooldownMs?: number;
  readonly aoc?: {
    /** For tests: a server that speaks the real site's wire, in its place. */
    readonly baseUrl?: string;
    /** Solve an event while it runs, although its author asks not to. */
    readonly allowsRunningEvent?: boolean;
  };
};

export type Polya = {
  readonly world: World;
  readonly home: string;
  /** The folder in which `io.files` lie. */
  readonly cache: string;
  readonly aoc: AocDesk;
  close(): Promise<void>;
};

/** Opens the journals of a folder. Close it: the practice site and the store stay open until then. */
export function openPolya(options: PolyaOptions = {}): Polya {
  const env = options.env ?? process.env;
  const folder = resolve(options.folder ?? '.');
  const home = findHome(folder, env);
  if (!home.exists && !options.create) throw noRunsYet(home.folder);
  const backend = options.backend ?? env.POLYA_SANDBOX;
  const sandbox = options.sandbox ?? chosenSandbox({ env, ...(backend ? { backend } : {}) });
  const io = createIo({
    sandbox,
    filesFolder: cacheFolder(env),
    identity: identityOf(env),
    turnsFile: join(cacheFolder(env), 'turns.sqlite'),
  });
  const practice = practiceSite(home.folder, options.practiceCooldownMs ?? 5_000);
  const store = lazyStore(() => {
    makeHome(home.folder);
    return openSqliteStore({ file: databaseIn(home.folder), now: io.clock.now });
  });
  const files = localFiles(folder);
  const people = lazyPeople(options.person ?? { terminal: null, announce: () => undefined });
  const real = officialSite(env, files, options.aoc ?? {});
  const aoc: AocSettings = { sites: { practice: practice.site, aoc: real }, files, hashText };
  const world = makeWorld({
    store,
    io,
    families: [
      ...(options.families ?? []),
      aocFamily(aoc),
      plainFamily({ readBytes: files.readBytes, hashText }),
    ],
    agents: [...(options.agents ?? []), toolLoop as Agent, singleCall as Agent, verifyLoop as Agent],
    modelOf: async (spec) => options.models?.[spec] ?? modelOf(spec, env, { folder, people }),
    pace: pacedBy(env, folder),
  });
  return {
    world,
    home: home.folder,
    cache: cacheFolder(env),
    aoc: aocDesk(aoc, io),
    close: async () => {
      await people.close();
      await practice.close();
      await store.close();
    },
  };
}

function identityOf(env: Environment) {
  const { version, homepage } = packageJson();
  return {
    tool: 'polya',
    version,
    ...(homepage ? { home: homepage } : {}),
    ...(env.POLYA_CONTACT?.trim() ? { contact: env.POLYA_CONTACT.trim() } : {}),
  };
}

/** The cookie is read at each use: a new one counts at once, and none is kept in this process. */
function officialSite(
  env: Environment,
  files: LocalFiles,
  options: NonNullable<PolyaOptions['aoc']>,
): AocSite {
  const sessionFile = join(configFolder(env), 'aoc-session');
  return realSite({
    session: () => env.AOC_SESSION?.trim() || readSecretFile(sessionFile, 'session cookie'),
    sessionFile,
    contact: env.POLYA_CONTACT ?? null,
    accountOf: (session) => hashText(session).slice(0, 12),
    aocd: { files, folder: aocdFolder(env) },
    ...options,
  });
}

/** Where advent-of-code-data keeps what it has fetched. */
export function aocdFolder(env: Environment): string {
  return env.AOCD_DIR || join(env.HOME || homedir(), '.config', 'aocd');
}

/** A run as files: relative path → text. Null where it is not an Advent of Code run. */
export function exportAocRun(
  events: readonly Event[],
  options: { readonly withPuzzle: boolean },
): ExportedFiles | null {
  return exportRun(events, { ...options, hashText });
}

/** A run's conversation with its models as a cassette, to be played by `replay:FILE`. */
export function recordRun(
  events: readonly Event[],
  { withPuzzle, env = process.env }: { readonly withPuzzle: boolean; readonly env?: Environment },
): string {
  return recordCassette(events, { env, hidden: withPuzzle ? [] : siteTextsIn(events) });
}

function makeWorld(parts: {
  store: Store;
  io: Io;
  families: readonly Family[];
  agents: readonly Agent[];
  modelOf: World['model'];
  pace: Pace;
}): World {
  const { store, io, families, agents, modelOf, pace } = parts;
  return {
    store,
    io,
    owner: thisProcess(),
    codeVersion: codeVersion(),
    retry: { maxRetries: 4, firstWaitMs: 2_000, maxWaitMs: 60_000, maxMalformedRetries: 2, maxRepairs: 1 },
    agent: (name) => named(agents, name, 'agent'),
    family: (name) => named(families, name, 'family'),
    pacer: pace.pacer,
    model: async (spec) => {
      const model = await modelOf(spec);
      if (model.kind === 'live') await pace.learn();
      return model;
    },
  };
}

type Pace = { readonly pacer: Pacer; learn(): Promise<void> };

/** One for all runs of this process that read the same table. */
const paces = new Map<string, Pace>();

function pacedBy(env: Environment, folder: string): Pace {
  const named = env.POLYA_PACE?.trim();
  const path = named ? resolve(folder, named) : join(configFolder(env), 'pace.yaml');
  const known = paces.get(path);
  if (known) return known;
  const pacer = new Pacer({ clock: systemClock });
  const learn = async (): Promise<void> => {
    // Loaded here because only live models are paced, and a script need not pay for the YAML parser.
    const { loadPaces } = await import('./models/paces.ts');
    pacer.learn(await loadPaces({ path, optional: !named }));
  };
  const pace = { pacer, learn };
  paces.set(path, pace);
  return pace;
}

/** `scripted/NAME` is one of the scripts that come with Polya; everything else is the catalogue's. */
async function modelOf(
  spec: string,
  env: Environment,
  { folder, people }: { readonly folder: string; readonly people: People },
): Promise<Model> {
  const bundled = bundledScript(spec);
  const model = await resolveModel(bundled ? `scripted:${bundled}` : spec, {
    env,
    folder,
    people,
    priceOf: await pricesFor(spec, env, folder),
  });
  return bundled ? { ...model, id: spec } : model;
}

/** A server and its schemas are loaded when somebody is to be asked. */
function lazyPeople(options: PersonOptions): People {
  let opened: Promise<People> | null = null;
  const open = async () => {
    // Loaded here because hardly any run asks a person.
    const { people } = await import('./models/manual/manual.ts');
    return people(options);
  };
  return {
    model: async (...args) => {
      opened ??= open();
      return (await opened).model(...args);
    },
    close: async () => (await opened)?.close(),
  };
}

/** Each run reads them anew, where its model may have a price: a script costs nothing. The user's own go first. */
async function pricesFor(spec: string, env: Environment, folder: string): Promise<ModelConfig['priceOf']> {
  if (/^(scripted[:/]|replay(-matched)?:|manual(:|$))/.test(spec)) return () => null;
  // Loaded here because the YAML parser and the schema cost 60 ms that scripts, replay and `--help` need not pay.
  const { loadPrices } = await import('./models/prices.ts');
  const named = env.POLYA_PRICES?.trim();
  const path = named ? resolve(folder, named) : join(configFolder(env), 'prices.yaml');
  const table = await loadPrices({ path, optional: !named });
  if (table.priceOf(spec)) return (id) => table.priceOf(id);
  // Loaded here because half a megabyte of prices takes 70 ms, and is needed by models alone that may have one.
  const { knownPrice } = await import('./models/known-prices.ts');
  return (id, baseUrl) => table.priceOf(id) ?? knownPrice({ id, baseUrl, atMs: Date.now() });
}

function bundledScript(spec: string): string | null {
  const name = /^scripted\/([\w-]+)$/.exec(spec)?.[1];
  const file = join(import.meta.dirname, '..', 'examples', 'scripts', `${name}.yaml`);
  return name && existsSync(file) ? file : null;
}

/** The name under which a model is found again from any folder: the path of a script, cassette or folder becomes absolute. */
export function lastingModelName(spec: string, folder: string): string {
  if (/^manual:http(:|$)/.test(spec)) return spec;
  const { prefix, path } =
    /^(?<prefix>scripted|replay|replay-matched|manual):(?<path>.+)$/s.exec(spec)?.groups ?? {};
  return path ? `${prefix}:${resolve(folder, path.trim())}` : spec;
}

/** Whether a folder has journals; looking makes nothing. */
export function hasRuns({ folder = '.', env = process.env }: PolyaOptions = {}): boolean {
  return existsSync(databaseIn(findHome(resolve(folder), env).folder));
}

function databaseIn(home: string): string {
  return join(home, 'polya.db');
}

/** What a prepared run would ask first; nothing is called and nothing is kept. */
export async function previewRun(world: World, prepared: PreparedRun): Promise<FirstRequest> {
  const scratch = openSqliteStore({ file: ':memory:', now: world.io.clock.now });
  try {
    return await firstRequestOf(world, scratch, prepared);
  } finally {
    await scratch.close();
  }
}

export type PracticeServer = {
  readonly url: string;
  /** Logs a browser in as the account that runs of this folder use. */
  readonly loginUrl: string;
  close(): Promise<void>;
};

/** Serves the practice site of a folder to people, until it is closed; runs may use it at the same time. */
export async function servePractice({
  folder = '.',
  env = process.env,
  practiceCooldownMs = 60_000,
  port = 0,
  user = practiceUser,
  seed = 0,
}: Pick<PolyaOptions, 'folder' | 'env' | 'practiceCooldownMs'> & {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly user?: string;
  readonly seed?: number;
} = {}): Promise<PracticeServer> {
  const home = findHome(resolve(folder), env).folder;
  const site = await startPractice(home, { cooldownMs: practiceCooldownMs, port });
  return { url: site.url, loginUrl: site.loginUrl(site.sessionFor(user, seed)), close: site.close };
}

const practiceUser = 'you';

async function startPractice(
  home: string,
  options: { cooldownMs: number; port?: number },
): Promise<PracticeSite> {
  // Loaded here because the server and the puzzles are of no use to commands that only read journals.
  const { startPracticeSite } = await import('./practice/site.ts');
  makeHome(home);
  return startPracticeSite({ stateFolder: join(home, 'practice'), ...options });
}

/** Started when somebody first connects to it, in this process, over real HTTP. */
function practiceSite(home: string, cooldownMs: number): { site: AocSite; close(): Promise<void> } {
  let started: Promise<PracticeSite> | null = null;
  const lastDay = puzzles.find(({ parts }) => parts.length === 1)?.day;
  return {
    site: {
      events: practiceEvents.map((event) => ({ ...event, lastDay })),
      async connect({ user = practiceUser, seed = 0 }) {
        started ??= startPractice(home, { cooldownMs });
        const site = await started;
        const session = site.sessionFor(user, seed);
        return { baseUrl: site.url, session, account: hashText(session).slice(0, 12) };
      },
    },
    close: async () => (await started)?.close(),
  };
}

export type ModelServerChoice = {
  readonly folder?: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** A script file as `scripted:FILE` has it; absent: an echo. */
  readonly script?: string;
  /** The role of the script that answers; absent: solver. */
  readonly role?: string;
  /** A name of `modelServerFaults`, for every `every`-th request (absent: for all). */
  readonly fault?: string;
  readonly every?: number;
  readonly firstByteMs?: number;
  /** Told of each request. */
  readonly onRequest?: (request: {
    readonly number: number;
    readonly wire: string;
    readonly fault: string | null;
  }) => void;
};

/** Serves the wires of all providers until it is closed; nothing of it leaves this machine. */
export async function serveModels(
  choice: ModelServerChoice = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const { folder = '.', port, script, role, fault, every = 1, firstByteMs, onRequest } = choice;
  const conduct = fault === undefined ? {} : modelServerFaults[fault];
  if (!conduct) {
    const names = Object.keys(modelServerFaults).join(', ');
    throw new UserError({ what: `There is no fault ${fault}.`, fix: `There are: ${names}.` });
  }
  // Loaded here because only this command serves models.
  const { startModelServer } = await import('./practice/models/server.ts');
  // Loaded here for the same reason.
  const { echoModel } = await import('./practice/models/echo.ts');
  const model = script
    ? await resolveModel(`scripted:${script}`, { env: {}, folder, priceOf: () => null })
    : echoModel;
  return startModelServer({
    model,
    models: [{ name: 'mock', sees: true }],
    ...(port === undefined ? {} : { port }),
    ...(role === undefined ? {} : { role }),
    conduct: ({ number, wire }) => {
      const isFaulty = fault !== undefined && number % every === 0;
      onRequest?.({ number, wire, fault: isFaulty ? fault : null });
      return { ...(isFaulty ? conduct : {}), ...(firstByteMs ? { firstByteMs } : {}) };
    },
  });
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string, noun: string): T {
  const found = all.find((each) => each.name === name);
  if (found) return found;
  const names = all.map((each) => each.name).join(', ');
  throw new UserError({ what: `There is no ${noun} ${name}.`, fix: `There are: ${names}.` });
}

export function codeVersion(): string {
  return packageJson().version;
}

function packageJson(): { version: string; homepage?: string } {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
}

function noRunsYet(folder: string): UserError {
  return new UserError({
    what: 'There are no runs here yet.',
    why: `No .polya folder was found at or above this one (it would be ${folder}).`,
    fix: 'Start with `polya demo`, or name another folder with POLYA_HOME.',
  });
}
