/**
 * Opens the journals of a folder: wires the rooms together, once. It reads the environment; the rooms below do not.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Agent } from '../core/agent.ts';
import { UserError } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import type { Store } from '../core/store.ts';
import { systemClock } from '../io/clock.ts';
import { cacheFolder, configFolder, type Environment, findHome, makeHome } from '../io/home.ts';
import { createIo } from '../io/io.ts';
import { localFiles } from '../io/local-files.ts';
import { Pacer } from '../run/pacing/pacer.ts';
import { type FirstRequest, previewRun as firstRequestOf } from '../run/preview.ts';
import type { PreparedRun } from '../run/start.ts';
import type { World } from '../run/world.ts';
import { chosenSandbox } from '../sandbox/choose.ts';
import { lazyStore } from '../store/lazy.ts';
import { thisProcess } from '../store/owner.ts';
import { openSqliteStore } from '../store/sqlite.ts';
import { agentLoaders } from './agents.ts';
import { familyLoaders, type OpenedFamily } from './families.ts';
import type { FamilyPlace } from './family-place.ts';
import { lazyPeople, modelOf } from './models.ts';
import type { Journals, JournalsOptions } from './options.ts';
import { codeVersion, identityOf } from './version.ts';

/** Opens the journals of a folder. Close it: the practice site and the store stay open until then. */
export function openJournals(options: JournalsOptions = {}): Journals {
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
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const store = lazyStore(() => {
    makeHome(home.folder);
    return openSqliteStore({ file: databaseIn(home.folder), now: io.clock.now });
  });
  const files = localFiles(folder);
  const people = lazyPeople(options.person ?? { terminal: null, announce: () => undefined });
  const families = openFamilies({ files, env, home: home.folder, clock: io.clock }, options);
  const world = makeWorld({
    store,
    io,
    agents: options.agents ?? [],
    families: families.family,
    modelOf: async (spec, place) =>
      options.models?.[spec] ?? modelOf(spec, env, { folder, people, ...place }),
    pace: pacedBy(env, folder),
  });
  return {
    world,
    home: home.folder,
    cache: cacheFolder(env),
    close: async () => {
      await people.close();
      await families.close();
      if (options.sandbox === undefined) await sandbox.close();
      await store.close();
    },
  };
}

function makeWorld(parts: {
  store: Store;
  io: Io;
  families: World['family'];
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
    agent: lookup('agent', agents, agentLoaders),
    family: families,
    pacer: pace.pacer,
    model: async (spec, place) => {
      const model = await modelOf(spec, place);
      if (model.kind === 'live') await pace.learn();
      return model;
    },
  };
}

/** Each family is opened once, when it is first asked for. */
function openFamilies(
  place: FamilyPlace,
  { families = [], familyOptions = {} }: JournalsOptions,
): { readonly family: World['family']; close(): Promise<void> } {
  const opened: OpenedFamily[] = [];
  const open = async (load: (typeof familyLoaders)[string]) => {
    const each = await load(place, familyOptions);
    opened.push(each);
    return each.family;
  };
  const loaders = Object.entries(familyLoaders).map(([name, load]) => [name, () => open(load)] as const);
  return {
    family: lookup('family', families, Object.fromEntries(loaders)),
    close: async () => {
      for (const { close } of opened) await close?.();
    },
  };
}

/** Whether a folder has journals; looking makes nothing. */
export function hasRuns({ folder = '.', env = process.env }: JournalsOptions = {}): boolean {
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

function noRunsYet(folder: string): UserError {
  return new UserError({
    code: 'no-runs-yet',
    what: 'There are no runs here yet.',
    why: `No .polya folder was found at or above this one (it would be ${folder}).`,
    fix: 'Start with `polya demo`, or name another folder with POLYA_HOME.',
  });
}

/** Looks up names. Throws `UserError` for one that is not known, with those that are. */
export function lookup<T extends { readonly name: string }>(
  noun: string,
  own: readonly T[],
  loaders: Readonly<Record<string, () => Promise<T>>>,
): (name: string) => Promise<T> {
  const loaded = new Map<string, Promise<T>>();
  return async (name) => {
    const mine = own.find((each) => each.name === name);
    if (mine) return mine;
    const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
    if (!load) {
      const names = [...own.map((each) => each.name), ...Object.keys(loaders)].join(', ');
      throw new UserError({ code: 'no', what: `There is no ${noun} ${name}.`, fix: `There are: ${names}.` });
    }
    const known = loaded.get(name) ?? load();
    loaded.set(name, known);
    return known;
  };
}

export type Pace = { readonly pacer: Pacer; learn(): Promise<void> };

/** One for all runs of this process that read the same table. */
const paces = new Map<string, Pace>();

export function pacedBy(env: Environment, folder: string): Pace {
  const named = env.POLYA_PACE?.trim();
  const path = named ? resolve(folder, named) : join(configFolder(env), 'pace.yaml');
  const known = paces.get(path);
  if (known) return known;
  const pacer = new Pacer({ clock: systemClock });
  const learn = async (): Promise<void> => {
    // Loaded here because only live models are paced, and a script need not pay for the YAML parser.
    const { loadPaces } = await import('../models/paces.ts');
    pacer.learn(await loadPaces({ path, optional: !named }));
  };
  const pace = { pacer, learn };
  paces.set(path, pace);
  return pace;
}
