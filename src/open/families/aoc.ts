/** The sites of Advent of Code: the official one, and the practice site, which is started when it is first asked. */
import { join, resolve } from 'node:path';
import type { Clock } from '../../core/io.ts';
import { realSite } from '../../families/aoc/real-site.ts';
import type { AocSettings, AocSite } from '../../families/aoc/sites.ts';
import { configFolder, type Environment, findHome, homeOf, makeHome } from '../../io/home.ts';
import { readSecretFile } from '../../io/plain-file.ts';
import { practiceEvents, puzzles } from '../../practice/puzzles/index.ts';
import type { PracticeSite } from '../../practice/site.ts';
import { hashText } from '../../run/hash.ts';
import type { FamilyPlace } from '../family-place.ts';

export type AocOptions = {
  /** How long the practice site locks an account after a first wrong answer. */
  readonly practiceCooldownMs?: number;
  /** Solve an event while it runs, although its author asks not to. */
  readonly allowsRunningEvent?: boolean;
  /** For tests: a server that speaks the real site's wire, in its place. */
  readonly baseUrl?: string;
};

/** The sites by name, and the user's files. Close it: the practice site stays open until then. */
export function openAocSites(
  place: FamilyPlace,
  { practiceCooldownMs = 5_000, ...options }: AocOptions = {},
): { readonly settings: AocSettings; close(): Promise<void> } {
  const practice = openPracticeSite(place.home, { cooldownMs: practiceCooldownMs, clock: place.clock });
  const aoc = openOfficialSite(place, options);
  return {
    settings: { sites: { practice: practice.site, aoc }, files: place.files, hashText },
    close: practice.close,
  };
}

/** The cookie is read at each use: a new one counts at once, and none is kept in this process. */
function openOfficialSite(
  { env, files }: Pick<FamilyPlace, 'env' | 'files'>,
  options: Pick<AocOptions, 'baseUrl' | 'allowsRunningEvent'>,
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
  return env.AOCD_DIR || join(homeOf(env), '.config', 'aocd');
}

export type PracticeServer = {
  readonly url: string;
  /** Logs a browser in as the account that runs of this folder use. */
  readonly loginUrl: string;
  close(): Promise<void>;
};

/** Serves the practice site of a folder to people, until it is closed; runs may use it meanwhile. */
export async function servePractice({
  folder = '.',
  env = process.env,
  practiceCooldownMs = 60_000,
  port = 0,
  user = practiceUser,
  seed = 0,
}: {
  readonly folder?: string;
  readonly env?: Environment;
  readonly practiceCooldownMs?: number;
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
  options: { cooldownMs: number; port?: number; clock?: Clock },
): Promise<PracticeSite> {
  // Loaded here because commands that only read journals need neither the server nor the puzzles.
  const { startPracticeSite } = await import('../../practice/site.ts');
  makeHome(home);
  return startPracticeSite({ stateFolder: join(home, 'practice'), ...options });
}

/** Started when it is first connected to, in this process, over real HTTP. */
function openPracticeSite(
  home: string,
  options: { readonly cooldownMs: number; readonly clock: Clock },
): { site: AocSite; close(): Promise<void> } {
  let started: Promise<PracticeSite> | null = null;
  const lastDay = puzzles.find(({ parts }) => parts.length === 1)?.day;
  return {
    site: {
      events: practiceEvents.map((event) => ({ ...event, lastDay })),
      isEverywhere: true,
      async connect({ user = practiceUser, seed = 0 }) {
        started ??= startPractice(home, options);
        const site = await started;
        const session = site.sessionFor(user, seed);
        return { baseUrl: site.url, session, account: hashText(session).slice(0, 12) };
      },
    },
    close: async () => (await started)?.close(),
  };
}
