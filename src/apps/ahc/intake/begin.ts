/**
 * `init`, wired: which folder is to be the workspace, where the contest comes from, and the outside world that both are
 * handed. Reads the environment; the rooms below do not.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/io.ts';
import type { Sandbox } from '../../../core/sandbox.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { systemClock } from '../../../io/clock.ts';
import { openFolder } from '../../../io/folder.ts';
import { cacheFolder, configFolder, type Environment } from '../../../io/home.ts';
import { createHttp } from '../../../io/http.ts';
import { readSecretFile } from '../../../io/secret-file.ts';
import { sharedTurns } from '../../../io/shared-turns.ts';
import { baseFolder, configIn, type WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import { identityOf } from '../../../open/version.ts';
import { practiceContest, practiceContestIds } from '../../../practice/atcoder/contest.ts';
import { sandboxFor } from '../workspace/sandbox.ts';
import { type NamedContest, namedContest, refuseOtherSite } from './contest-id.ts';
import { vendorCrates } from './crates.ts';
import { type InitReport, type InitWork, initWorkspace } from './init.ts';
import { readLocal } from './local.ts';
import { localSource } from './local-source.ts';
import type { Language } from './page.ts';
import type { IntakeParts } from './parts.ts';
import { atCoder, siteAt } from './place.ts';
import { siteSource } from './site-source.ts';
import type { ContestSource } from './source.ts';

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
  const { env, language, signal, confirm } = options;
  const contest = namedContest(options.contest);
  const { id } = contest;
  const question = questionOf(options);
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
    isFresh: options.isFresh ?? false,
    confirm,
    parts,
    signal,
  });
  return { ...report, id, folder: path, warnings: config.warnings };
}

function questionOf({ folder, env, workspaceRoot }: InitOptions): WorkspaceQuestion {
  return { folder, env, flags: { 'workspace.base_dir': workspaceRoot } };
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
  options: InitOptions,
  parts: IntakeParts,
): Promise<ContestSource> {
  const { id } = contest;
  const { from = [], site, folder } = options;
  if (from.length > 0) {
    if (site !== undefined) throw bothNamed();
    return localSource(await readLocal(folder, from), parts.sha256);
  }
  const place = site === undefined ? atCoder : siteAt(site);
  refuseOtherSite(contest, place.origin);
  // Contests of our own lie here, and AtCoder does not have them.
  if (site === undefined && practiceContestIds().includes(id)) {
    return localSource(await readLocal('/', [practiceContest(id).folder]), parts.sha256);
  }
  return siteSource(id, { site: place, parts, isFresh: options.isFresh ?? false });
}

function partsOf({ env, clock = systemClock, onProgress }: InitOptions, sandbox: Sandbox): IntakeParts {
  const sessionFile = join(configFolder(env), 'atcoder-session');
  return {
    http: createHttp({
      identity: identityOf(env),
      clock,
      takeTurn: sharedTurns(join(cacheFolder(env), 'turns.sqlite')),
    }),
    clock,
    sandbox,
    sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    cache: openFolder(join(cacheFolder(env), 'atcoder')),
    session: () => env.ATCODER_SESSION?.trim() || readSecretFile(sessionFile, 'session cookie'),
    sessionFile,
    vendor: vendorCrates(env),
    isoTime: (ms) => new Date(ms).toISOString().replace('.000Z', 'Z'),
    onProgress,
  };
}

function bothNamed(): UserError {
  return new UserError({
    code: 'both-named',
    what: '--from and --site exclude each other.',
    why: 'With --from nobody is asked over the network.',
    fix: 'Leave one of them out.',
  });
}
