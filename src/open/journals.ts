/** Opens the journals of a folder: wires the rooms together. It reads the environment; the rooms below do not. */
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import { findSecrets } from '../core/secrets.ts';
import type { Store } from '../core/store.ts';
import { systemClock } from '../io/clock.ts';
import { createIo } from '../io/files.ts';
import { cacheFolder, configFolder, type Environment, findHome } from '../io/home.ts';
import { localFiles } from '../io/local-files.ts';
import { networkOf } from '../io/network.ts';
import { isInCatalogue } from '../models/catalogue.ts';
import { createSecretRedactor } from '../models/redact.ts';
import type { PriceTable } from '../models/tables.ts';
import { LearnedQuirks } from '../run/learned-quirks.ts';
import { Pacer } from '../run/pacing/pacer.ts';
import { SharedLanes } from '../run/pacing/shared-lanes.ts';
import { type FirstRequest, previewRun as firstRequestOf } from '../run/preview.ts';
import type { PreparedRun } from '../run/start.ts';
import type { CodeFiles, Runtime } from '../run/world.ts';
import { chooseSandbox } from '../sandbox/choose.ts';
import { thisProcess } from '../store/owner.ts';
import { openSqliteStore } from '../store/sqlite.ts';
import { agentLoaders } from './agents.ts';
import { familyLoaders, type OpenedFamily } from './families.ts';
import type { FamilyPlace } from './family-place.ts';
import { lazyManualModels, modelOf } from './models.ts';
import type { Journals, JournalsOptions } from './options.ts';
import { storeOf } from './store.ts';
import { openUserCode, type UserCode } from './user-code/code.ts';
import { notFoundError } from './user-code/failures.ts';
import { guardedAgent, guardedFamily } from './user-code/guard.ts';
import type { Source } from './user-code/load.ts';
import { codeVersion, identityOf } from './version.ts';

/** Opens the journals of a folder. Close it: the practice site and the store stay open until then. */
export function openJournals(options: JournalsOptions = {}): Journals {
  const env = options.env ?? process.env;
  const folder = resolve(options.folder ?? '.');
  const home = findHome(folder, env);
  const place = storeOf(folder, env);
  if (!home.exists && place.file !== null && !options.create) throw noRunsError(home.folder);
  const { keyless } = options;
  const backend = options.backend ?? env.POLYA_SANDBOX;
  const sandbox = options.sandbox ?? chooseSandbox({ env, backend });
  const io = createIo({
    sandbox,
    filesFolder: cacheFolder(env),
    identity: identityOf(env),
    turnsFile: join(cacheFolder(env), 'turns.sqlite'),
    clock: options.clock,
    network: () => networkOf(env),
  });
  const store = place.open(io.clock.now);
  const files = localFiles(folder);
  const manualModels = lazyManualModels({
    ...(options.person ?? { terminal: null, announce: () => undefined }),
    mail: (run, afterId) => store.mail(run, afterId),
  });
  const code = options.code ? openUserCode({ folder, env, home: home.folder }, options.code) : null;
  const families = openFamilies({ files, env, home: home.folder, clock: io.clock }, options, code);
  const pace = loadPacer(env, folder, place.file === null ? store : null);
  const secrets = findSecrets({ ...process.env, ...env });
  const runtime: Runtime = {
    store,
    io,
    // Containers have names that say nothing: their user may name them.
    owner:
      place.file === null ? { ...thisProcess(), host: env.POLYA_HOST?.trim() || hostname() } : thisProcess(),
    codeVersion: codeVersion(),
    redact: secrets.length > 0 ? createSecretRedactor(secrets) : undefined,
    retry: { maxRetries: 4, firstWaitMs: 2_000, maxWaitMs: 60_000, maxMalformedRetries: 2, maxRepairs: 1 },
    agent: lookup({
      noun: 'agent',
      own: (options.agents ?? []).map(guardedAgent),
      loaders: agentLoaders,
      brought: code && { find: code.agent, names: () => namesIn(code, ({ agents }) => agents) },
    }),
    codeOf: code?.codeOf,
    family: families.family,
    pacer: pace.pacer,
    quirks: new LearnedQuirks(),
    model: async (spec, { code: files, ...place } = {}) => {
      const model =
        options.models?.[spec] ??
        (isInCatalogue(spec) ? null : await code?.model(spec, files)) ??
        (await modelOf(spec, env, {
          folder,
          people: manualModels,
          addresses: options.addresses,
          prices: () => ownPrices(code),
          keyless,
          ...place,
        }));
      if (model.kind !== 'live') return model;
      await pace.learn();
      const quirks = await configuredQuirks(code, spec);
      return quirks === null ? model : { ...model, quirks };
    },
  };
  return {
    world: runtime,
    home: home.folder,
    place,
    code,
    cache: cacheFolder(env),
    close: async () => {
      await manualModels.close();
      await pace.pacer.close();
      await families.close();
      if (options.sandbox === undefined) await sandbox.close();
      await store.close();
    },
  };
}

/** Each family is opened once, when it is first asked for. */
function openFamilies(
  place: FamilyPlace,
  { families = [], familyOptions = {} }: JournalsOptions,
  code: UserCode | null,
): { readonly family: Runtime['family']; close(): Promise<void> } {
  const opened: OpenedFamily[] = [];
  const open = async (load: (typeof familyLoaders)[string]) => {
    const each = await load(place, familyOptions);
    opened.push(each);
    return each.family;
  };
  const loaders = Object.entries(familyLoaders).map(([name, load]) => [name, () => open(load)] as const);
  return {
    family: lookup({
      noun: 'family',
      own: families.map(guardedFamily),
      loaders: Object.fromEntries(loaders),
      brought: code && { find: code.family, names: () => namesIn(code, (source) => source.families) },
    }),
    close: async () => {
      for (const { close } of opened) await close?.();
    },
  };
}

async function namesIn(
  code: UserCode,
  of: (source: Source) => readonly { readonly name: string }[],
): Promise<readonly string[]> {
  return (await code.sources()).flatMap((source) => of(source).map(({ name }) => name));
}

async function ownPrices(code: UserCode | null): Promise<readonly PriceTable[]> {
  return ((await code?.sources()) ?? []).flatMap(({ prices }) => prices ?? []);
}

async function configuredQuirks(code: UserCode | null, spec: string) {
  const tables = ((await code?.sources()) ?? []).flatMap(({ quirks }) => quirks ?? []);
  return tables.map((table) => table.quirksOf(spec)).find(Boolean) ?? null;
}

/** Whether a folder has journals; looking makes nothing. */
export function hasRuns({ folder = '.', env = process.env }: JournalsOptions = {}): boolean {
  return storeOf(folder, env).mayHaveRuns;
}

/** What a prepared run would ask first; nothing is called and nothing is kept. */
export async function previewRun(runtime: Runtime, prepared: PreparedRun): Promise<FirstRequest> {
  const scratch = openSqliteStore({ file: ':memory:', now: runtime.io.clock.now });
  try {
    return await firstRequestOf(runtime, scratch, prepared);
  } finally {
    await scratch.close();
  }
}

function noRunsError(folder: string): UserError {
  return new UserError({
    code: 'no-runs-yet',
    what: 'There are no runs here yet.',
    why: `No .polya folder was found at or above this one (it would be ${folder}).`,
    fix: 'Start with `polya demo`, or name another folder with POLYA_HOME.',
  });
}

/** Looks up what the library was handed, then what comes with Polya, then the user's files. Throws `UserError`. */
function lookup<T extends { readonly name: string }>({
  noun,
  own,
  loaders,
  brought,
}: {
  noun: 'agent' | 'family';
  own: readonly T[];
  loaders: Readonly<Record<string, () => Promise<T>>>;
  brought: {
    find(name: string, code?: CodeFiles): Promise<T | null>;
    names(): Promise<readonly string[]>;
  } | null;
}): (name: string, code?: CodeFiles) => Promise<T> {
  const loaded = new Map<string, Promise<T>>();
  return async (name, code) => {
    const mine = own.find((each) => each.name === name);
    if (mine) return mine;
    const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
    if (load) {
      const known = loaded.get(name) ?? load();
      loaded.set(name, known);
      return known;
    }
    const found = await brought?.find(name, code);
    if (found) return found;
    const names = [
      ...own.map((each) => each.name),
      ...Object.keys(loaders),
      ...((await brought?.names()) ?? []),
    ];
    throw notFoundError(noun, name, names, brought !== null);
  };
}

type Pace = { readonly pacer: Pacer; learn(): Promise<void> };

/** One for all runs of this process that read the same table. A store that hosts share has its own. */
const paces = new Map<string, Pace>();

function loadPacer(env: Environment, folder: string, store: Store | null): Pace {
  const named = env.POLYA_PACE?.trim();
  const path = named ? resolve(folder, named) : join(configFolder(env), 'pace.yaml');
  const known = paces.get(path);
  if (known && !store) return known;
  const pacer = new Pacer({ clock: systemClock, shared: store ? new SharedLanes(store) : undefined });
  const learn = async (): Promise<void> => {
    // Loaded here because only live models are paced, and a script need not pay for the YAML parser.
    const { loadPaces } = await import('../models/tables.ts');
    const { describeProviders } = await import('../models/describe.ts');
    const defaults = new Map(describeProviders(env).map(({ name, baseUrl }) => [name, baseUrl]));
    pacer.configure(await loadPaces({ path, optional: !named }), ({ model, address }) => {
      const url = URL.parse(address ?? defaults.get(model.slice(0, model.indexOf('/'))) ?? '');
      return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url?.hostname ?? '') ? hostname() : null;
    });
  };
  const pace = { pacer, learn };
  if (!store) paces.set(path, pace);
  return pace;
}
