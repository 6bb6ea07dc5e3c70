/**
 * `init`, wired: which folder is to be the workspace, where the contest comes from, and the outside world that both are
 * handed. Reads the environment; the rooms below do not.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/io.ts';
import type { Sandbox } from '../../../core/sandbox.ts';
import { layout, reservedNames } from '../../../families/ahc/layout.ts';
import { systemClock } from '../../../io/clock.ts';
import { openFolder } from '../../../io/folder.ts';
import { cacheFolder, configFolder, type Environment } from '../../../io/home.ts';
import { createHttp } from '../../../io/http.ts';
import { readSecretFile } from '../../../io/plain-file.ts';
import { sharedTurns } from '../../../io/spacing.ts';
import { baseFolder, configIn, type WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import { identityOf } from '../../../open/version.ts';
import { practiceContest, practiceContestIds } from '../../../practice/atcoder/contest.ts';
import { sandboxFor } from '../evaluation-context.ts';
import { vendorCrates } from './crates.ts';
import { atCoder, siteAt } from './fetch.ts';
import { type InitReport, type InitWork, initWorkspace } from './init.ts';
import { localSource, readLocal } from './local-source.ts';
import type { Language } from './page.ts';
import { siteSource } from './site-source.ts';
import type { ContestSource, IntakeParts } from './source.ts';

export type InitOptions = {
  /** As its user wrote it. */
  readonly contest: string;
  readonly folder: string;
  readonly env: Environment;
  readonly workspaceRoot?: string;
  /** Without network: folders, archives, pages. */
  readonly from?: readonly string[];
  readonly language?: Language;
  /** Another site than AtCoder: for tests. */
  readonly site?: string;
  readonly isFresh?: boolean;
  readonly confirm: InitWork['confirm'];
  readonly onProgress: (line: string) => void;
  readonly sandbox?: Sandbox;
  readonly clock?: Clock;
  readonly signal: AbortSignal;
};

export type InitializedWorkspace = InitReport & {
  readonly id: string;
  /** Absolute. */
  readonly folder: string;
  /** Of the files of configuration. */
  readonly warnings: readonly string[];
};

/** Throws `UserError` where nothing is to be made; what could not be made is in the report. */
export async function initContest(options: InitOptions): Promise<InitializedWorkspace> {
  const { env, language, isFresh = false, signal, confirm } = options;
  const contest = namedContest(options.contest);
  const { id } = contest;
  const question = { folder: options.folder, env, flags: { 'workspace.base_dir': options.workspaceRoot } };
  const path = placeOf(id, question);
  const config = configIn(existsSync(join(path, layout.config)) ? path : null, question);
  const parts = partsOf(options, options.sandbox ?? sandboxFor(config, env));
  const report = await initWorkspace({
    id,
    workspace: openFolder(path),
    config,
    source: await sourceOf(contest, options, parts),
    language: language ?? (/^ja/.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? 'ja' : 'en'),
    isLanguageNamed: language !== undefined,
    isFresh,
    confirm,
    parts,
    signal,
  });
  return { ...report, id, folder: path, warnings: config.warnings };
}

/** A workspace of that name around or in the user's folder is the one to be repaired; else one is made where all are. */
function placeOf(id: string, question: WorkspaceQuestion): string {
  const { folder, flags = {} } = question;
  const base = baseFolder(question);
  if (flags['workspace.base_dir'] !== undefined) return join(base, id);
  for (let around = resolve(folder); around !== dirname(around); around = dirname(around)) {
    if (basename(around) === id && existsSync(join(around, layout.config))) return around;
  }
  const beside = join(resolve(folder), id);
  return existsSync(join(beside, layout.config)) ? beside : join(base, id);
}

async function sourceOf(
  contest: NamedContest,
  { from = [], site, folder, isFresh = false }: InitOptions,
  parts: IntakeParts,
): Promise<ContestSource> {
  if (from.length > 0 && site !== undefined) {
    throw new UserError({
      code: 'options-conflict',
      what: '--from and --site exclude each other.',
      why: 'With --from no site is asked.',
      fix: 'Leave one of them out.',
    });
  }
  if (from.length > 0) return localSource(await readLocal(folder, from));
  const { id } = contest;
  const asked = site === undefined ? atCoder : siteAt(site);
  refuseOtherSite(contest, asked.origin);
  // Contests of our own lie here, and AtCoder does not have them.
  if (site === undefined && practiceContestIds().includes(id)) {
    return localSource(await readLocal('/', [practiceContest(id).folder]));
  }
  return siteSource(id, { site: asked, parts, isFresh });
}

function partsOf({ env, clock = systemClock, onProgress }: InitOptions, sandbox: Sandbox): IntakeParts {
  const sessionFile = join(configFolder(env), 'atcoder-session');
  const takeTurn = sharedTurns(join(cacheFolder(env), 'turns.sqlite'));
  return {
    http: createHttp({ identity: identityOf(env), clock, takeTurn }),
    clock,
    sandbox,
    cache: openFolder(join(cacheFolder(env), 'atcoder')),
    session: () => env.ATCODER_SESSION?.trim() || readSecretFile(sessionFile, 'session cookie'),
    sessionFile,
    vendor: vendorCrates(env),
    onProgress,
  };
}

export type NamedContest = {
  readonly id: string;
  /** Of the address's site as one types it for `--site`; null where only an id was named. */
  readonly host: string | null;
};

/** Throws `UserError`. */
export function namedContest(text: string): NamedContest {
  const address = /^(?:https?:\/\/)?([^/\s]+)\/contests\/([\w-]+)/i.exec(text.trim());
  return { id: idIn(text, address?.[2] ?? text), host: address?.[1]?.toLowerCase() ?? null };
}

/** Throws `UserError` where the address that was typed is of another site than the one that is to be asked. */
export function refuseOtherSite({ id, host }: NamedContest, origin: string): void {
  if (host === null || host === URL.parse(origin)?.host) return;
  throw new UserError({
    code: 'contest-address-unknown',
    what: `The address is one of ${host}, and ${origin} is to be asked.`,
    why: 'A contest of the same name there need not be the same.',
    fix: `\`polya ahc init ${id}\` asks AtCoder, \`polya ahc init ${id} --site https://${host}\` that site.`,
  });
}

function idIn(text: string, found: string): string {
  const id = found.trim().toLowerCase();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)) {
    throw new UserError({
      code: 'contest-id-invalid',
      what: `${JSON.stringify(text.slice(0, 100))} is no id of a contest.`,
      why: 'An id is what stands behind /contests/ in the address of its page: letters, digits, - and _.',
      fix: 'Write it as in `polya ahc init ahc030`.',
    });
  }
  if (reservedNames.includes(id)) {
    throw new UserError({
      code: 'contest-id-invalid',
      what: `${id} cannot be the id of a contest here.`,
      why: 'A folder of that name has a meaning of its own in a workspace.',
      fix: 'Look at the address of the contest: its id stands behind /contests/.',
    });
  }
  return id;
}
