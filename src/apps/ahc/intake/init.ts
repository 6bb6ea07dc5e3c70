/**
 * A workspace from nothing, or from what an earlier `polya ahc init` left: the contest is looked at first, and refused
 * where it may still run; then everything that is missing is made. What cannot be made is told, and the rest goes on.
 * Files that are there belong to their user and stay. Reads the environment; the rooms below do not.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { Clock, Folder } from '../../../core/io.ts';
import { jsonText } from '../../../core/json.ts';
import type { Sandbox } from '../../../core/sandbox.ts';
import type { PastContest } from '../../../families/ahc/database/record.ts';
import { layout } from '../../../families/ahc/layout.ts';
import type { ContestFile } from '../../../families/ahc/workspace.ts';
import { systemClock } from '../../../io/clock.ts';
import { openFolder } from '../../../io/folder.ts';
import { cacheFolder, configFolder, type Environment } from '../../../io/home.ts';
import { createHttp } from '../../../io/http.ts';
import { networkOf } from '../../../io/network.ts';
import { readSecretFile } from '../../../io/plain-file.ts';
import { sharedTurns } from '../../../io/spacing.ts';
import { openDatabase } from '../../../open/families/ahc/database.ts';
import { baseFolder, configIn, type WorkspaceQuestion } from '../../../open/families/ahc/workspace.ts';
import { trustOwnFiles } from '../../../open/trust/trust.ts';
import { identityOf } from '../../../open/version.ts';
import { practiceContest, practiceContestIds } from '../../../practice/atcoder/contest.ts';
import { sandboxFor } from '../evaluation-context.ts';
import { pahcerFile } from '../workspace/pahcer.ts';
import { conflict } from '../workspace.ts';
import { contestBefore, contestFrom, doubts, scheduleOfPast, withTools } from './contest-file.ts';
import { atCoder, siteAt } from './fetch.ts';
import { localSource, readLocal } from './local-source.ts';
import { pageOfStatement } from './own-statement.ts';
import { type Language, languagesOf, parseTaskPage } from './page.ts';
import { ifExplained, keepVisualizer, writeProblem } from './problem.ts';
import { type NamedContest, namedContest, refuseOtherSite, siteSource } from './site-source.ts';
import {
  type ContestSource,
  type IntakeParts,
  isoTime,
  missing,
  pageText,
  type Schedule,
  type Standing,
  standingOf,
} from './source.ts';
import { placeTemplate, readTemplate } from './template.ts';
import { buildTools, makeInputs, placeTools, type ToolsWork } from './tools.ts';
import { vendorCrates } from './vendor.ts';
import { Keeper, writeScaffold } from './workspace-files.ts';

export type InitOptions = {
  /** As its user wrote it. */
  readonly contest: string;
  readonly folder: string;
  readonly env: Environment;
  readonly workspaceRoot?: string;
  /** Without network: folders, archives, pages. */
  readonly from?: readonly string[];
  readonly language?: Language;
  /** A program in C++ with which `main.cpp` and a search begin. */
  readonly template?: string;
  /** Another site than AtCoder: for tests. */
  readonly site?: string;
  /** Take everything of the contest anew. */
  readonly isFresh?: boolean;
  /** Its user says that the rules of the contest allow what we do. Asked only where it matters. */
  readonly confirm: (standing: Exclude<Standing, 'over'>, endsAt: string | null) => Promise<boolean>;
  readonly onProgress: (line: string) => void;
  readonly sandbox?: Sandbox;
  /** Brings what the tools depend on, in place of the user's cargo. */
  readonly vendor?: IntakeParts['vendor'];
  readonly clock?: Clock;
  readonly signal: AbortSignal;
};

export type InitReport = Awaited<ReturnType<typeof initContest>>;

/** Throws `UserError` where nothing is to be made; what could not be made is in the report. */
export async function initContest(options: InitOptions) {
  const work = await workOf(options);
  const { id, workspace, source, parts, signal, config } = work;
  const known = await contestBefore(workspace);
  const previous = await pastContest(options, id);
  const told = scheduleOf(known) ?? (await source.schedule(signal));
  const schedule = told ?? scheduleOfPast(previous);
  const standing = standingOf(schedule, parts.clock.now());
  const confirmed = known?.confirmed ?? (await permission(work, standing, schedule));
  const { raw, own } = await pageOf(work);
  if (raw === null && source.url !== null) throw noTask(id, source.url);

  const store = new Keeper(workspace);
  const isOld = existsSync(join(workspace.path, layout.config));
  await writeScaffold(store, id, config);
  if (!isOld) trustOwnFiles(workspace.path, [layout.config, layout.dockerfile], options.env);
  if (own !== null) await store.add(layout.statement, own);
  else if (work.isFresh) await putProblemAside(workspace, raw);
  if (source.own?.pahcer) await store.add(pahcerFile, source.own.pahcer);
  const page = parseTaskPage(raw ? pageText(raw) : '');
  const found = {
    id,
    url: source.url ?? known?.url ?? null,
    startsAt: told && isoTime(told.startMs),
    endsAt: told && isoTime(told.endMs),
    tools: known?.tools ?? null,
    confirmed,
  };
  const { contest, conflicts } = contestFrom(page, work.language, found, previous);
  await store.renew(layout.contest, jsonText(contest));
  const errors = raw
    ? await writeProblem({ ...work, keeper: store, raw, page, isOwn: own !== null })
    : [noPage];
  const outcome = await bringTools({ ...work, keeper: store, page, known: contest.tools }, contest);
  await noteBeginning(store, work);
  const dayOfPast = told === null && standing === 'over' ? (previous?.date ?? null) : null;
  const subject = { id, folder: workspace.path, warnings: config.warnings, standing, dayOfPast };
  return { ...outcome, ...subject, troubles: [...errors, ...conflicts, ...outcome.troubles] };
}

/** A database of the user's that cannot be read is no reason to make no workspace. */
async function pastContest({ folder, env }: InitOptions, id: string): Promise<PastContest | null> {
  const database = await openDatabase({ folder, env }).catch(ifExplained);
  return database?.find(id) ?? null;
}

type InitWork = Awaited<ReturnType<typeof workOf>>;

/** Which folder is to be the workspace, where the contest comes from, and the outside world. */
async function workOf(options: InitOptions) {
  const { env, language, folder, template, isFresh = false, signal, confirm } = options;
  const contest = namedContest(options.contest);
  const { id } = contest;
  const question = { folder, env, flags: { 'workspace.base_dir': options.workspaceRoot } };
  const path = placeOf(id, question);
  const config = configIn(existsSync(join(path, layout.config)) ? path : null, question);
  const parts = partsOf(options, options.sandbox ?? sandboxFor(config, env));
  const defaults: Language = /^ja/.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? 'ja' : 'en';
  return {
    id,
    workspace: openFolder(path),
    config,
    source: await sourceOf(contest, path, options, parts),
    language: language ?? defaults,
    template: template === undefined ? null : readTemplate(template, question, config),
    isLanguageNamed: language !== undefined,
    isFresh,
    confirm,
    parts,
    signal,
  };
}

/** A workspace of that name around or in the user's folder is the one to be repaired; else one is made where all are. */
function placeOf(id: string, question: WorkspaceQuestion): string {
  const { folder, flags = {} } = question;
  const base = baseFolder(question);
  if (flags['workspace.base_dir'] !== undefined) return join(base, id);
  for (
    let surroundings = resolve(folder);
    surroundings !== dirname(surroundings);
    surroundings = dirname(surroundings)
  ) {
    if (basename(surroundings) === id && existsSync(join(surroundings, layout.config))) return surroundings;
  }
  const sibling = join(resolve(folder), id);
  return existsSync(join(sibling, layout.config)) ? sibling : join(base, id);
}

async function sourceOf(
  contest: NamedContest,
  path: string,
  { from = [], site, folder, isFresh = false }: InitOptions,
  parts: IntakeParts,
): Promise<ContestSource> {
  if (from.length > 0 && site !== undefined)
    throw conflict('--from and --site exclude each other.', undefined, 'With --from no site is asked.');
  if (from.length > 0) return localSource(await readLocal(folder, from));
  const { id } = contest;
  const asked = site === undefined ? atCoder : siteAt(site);
  refuseOtherSite(contest, asked.origin);
  // Contests of our own lie here, and AtCoder does not have them.
  if (site === undefined && practiceContestIds().includes(id)) {
    return localSource(await readLocal('/', [practiceContest(id).folder]));
  }
  const before = site === undefined && !isFresh ? await contestBefore(openFolder(path)) : null;
  // Made from files of its user's: no site was asked then, and none has to be there now.
  const kept = [layout.page, layout.statement].filter((file) => existsSync(join(path, file)));
  if (before?.url === null && kept.length > 0) return localSource(await readLocal(path, kept));
  return siteSource(id, { site: asked, parts, isFresh });
}

function partsOf(
  { env, clock = systemClock, vendor = vendorCrates(env), onProgress }: InitOptions,
  sandbox: Sandbox,
): IntakeParts {
  const sessionFile = join(configFolder(env), 'atcoder-session');
  const takeTurn = sharedTurns(join(cacheFolder(env), 'turns.sqlite'));
  return {
    http: createHttp({ identity: identityOf(env), clock, takeTurn, network: () => networkOf(env) }),
    clock,
    sandbox,
    cache: openFolder(join(cacheFolder(env), 'atcoder')),
    session: () => env.ATCODER_SESSION?.trim() || readSecretFile(sessionFile, 'session cookie'),
    sessionFile,
    vendor,
    onProgress,
  };
}

/** The page in the workspace, or else the source's. A page without a statement is made from the user's `own` statement. */
async function pageOf(work: InitWork): Promise<{ raw: Uint8Array | null; own: string | null }> {
  const { workspace, source, isFresh, signal } = work;
  const here = isFresh ? null : await workspace.readBytes(layout.page);
  if (here !== null && hasStatement(here)) return { raw: here, own: null };
  const found = await (here === null ? source.page(signal) : source.page(signal).catch(ifExplained));
  if (found !== null && hasStatement(found)) return { raw: found, own: null };
  const own = (await workspace.read(layout.statement)) ?? source.own?.statement ?? '';
  if (own.trim() !== '') return { raw: new TextEncoder().encode(pageOfStatement(own)), own };
  return { raw: here ?? found, own: null };
}

const hasStatement = (raw: Uint8Array): boolean => languagesOf(parseTaskPage(pageText(raw))).length > 0;

async function bringTools(work: InitWork & ToolsWork, contest: ContestFile) {
  const { keeper, page } = work;
  const placed = await placeTools(work);
  const full = withTools(contest, placed);
  await keeper.renew(layout.contest, jsonText(full));
  const drawing = await keepVisualizer(work);
  const none = { isBuilt: false, troubles: [] };
  const { isBuilt, troubles } = placed.report ? await buildTools(work, placed.report) : none;
  const languages = languagesOf(page);
  const samples =
    languages.map((each) => page.statements[each]?.samples ?? []).find(({ length }) => length > 0) ?? [];
  const inputs = await makeInputs(work, { report: placed.report, isBuilt, samples });
  const template = await placeTemplate(keeper, work.template);
  return {
    contest: full,
    languages,
    samples: samples.length,
    isBuilt,
    inputs,
    template,
    written: [...new Set(keeper.written)],
    kept: keeper.kept,
    troubles: [...placed.troubles, ...drawing, ...troubles, ...inputs.troubles, ...doubts(full)],
  };
}

/** With --fresh: moves aside the files that were made from another page. */
async function putProblemAside(workspace: Folder, raw: Uint8Array | null): Promise<void> {
  const before = await workspace.read(layout.page);
  if (raw === null || before === null || before === pageText(raw)) return;
  for (const name of await workspace.files(layout.problem)) {
    if (name.startsWith('before/') || `${layout.problem}/${name}` === layout.contest) continue;
    const bytes = await workspace.readBytes(`${layout.problem}/${name}`);
    if (bytes) await workspace.write(`${layout.problem}/before/${name}`, bytes);
    await workspace.remove(`${layout.problem}/${name}`);
  }
}

async function noteBeginning({ folder, written, kept }: Keeper, { id, parts }: InitWork): Promise<void> {
  const exists = (await folder.read(layout.experiments)) !== null;
  if (!exists) await folder.append(layout.experiments, `${isoTime(parts.clock.now())} init ${id}`);
  (exists ? kept : written).push(layout.experiments);
}

function noTask(id: string, url: string): UserError {
  const what = `${id} has no task that could be found at ${url}. Nothing was made.`;
  const fix =
    'Open the contest in a browser; if you see the task there, save the page and give it with --from.';
  return new UserError({ code: 'no-task', what, fix });
}

const noPage = missing(
  'There is no page of the task among what --from names: the workspace has no statement.',
  `Save the page of the task and give it too: \`polya ahc init ID --from page.html --from tools.zip\`; or write ${layout.statement} yourself, and run init again.`,
);

function scheduleOf(known: ContestFile | null): Schedule | null {
  const startMs = Date.parse(known?.startsAt ?? '');
  const endMs = Date.parse(known?.endsAt ?? '');
  return startMs < endMs ? { startMs, endMs } : null;
}

/** Throws `UserError` for a contest that may still run, unless its user knows that its rules allow this. */
async function permission(
  { id, confirm, parts }: InitWork,
  standing: Standing,
  schedule: Schedule | null,
): Promise<ContestFile['confirmed']> {
  if (standing === 'over') return null;
  const endsAt = schedule && isoTime(schedule.endMs);
  if (await confirm(standing, endsAt)) return { atMs: parts.clock.now(), standing };
  const [what, why] = {
    running: [
      `${id} is running (until ${endsAt}).`,
      'Short contests forbid help by generative AI, long ones forbid much of it; both have rules on tools.',
    ],
    'not-begun': [
      `${id} has not begun (it ends ${endsAt}).`,
      'Its statement is not there yet, and its rules may forbid tools such as this one.',
    ],
    unknown: [
      `It is not known when ${id} ended: it may still be running.`,
      'Contests have rules on tools and generative AI that hold while they run.',
    ],
  }[standing];
  throw new UserError({
    code: 'rules-not-confirmed',
    what: `${what} Nothing was made.`,
    why,
    fix: "Read the contest's own rules. If they allow what you want to do, say so with --i-confirm-the-rules-allow-this; contests that are over are free to practise on.",
  });
}
