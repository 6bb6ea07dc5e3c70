/**
 * A workspace from nothing, or from what an earlier `polya ahc init` left: the contest is looked at first, and refused
 * where it may still run; then everything that is missing is made. What cannot be made is told, and the rest goes on.
 * Files that are there belong to their user and stay.
 */
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { type FirstProgramAccount, tellFirstProgram } from '../../../families/ahc/plain/first-program.ts';
import type { ContestFile } from '../../../families/ahc/workspace.ts';
import { contestBefore, contestFrom, doubts, jsonOf, withTools } from './contest-file.ts';
import { bringFirstProgram } from './first-program.ts';
import { type Language, languagesOf, parseTaskPage } from './page.ts';
import { ifExplained, writeProblem } from './problem.ts';
import {
  type ContestSource,
  type IntakeParts,
  isoTime,
  missing,
  pageText,
  type Schedule,
  type Standing,
  standingOf,
  type Trouble,
} from './source.ts';
import { buildTools, type Inputs, makeInputs, placeTools, type ToolsWork } from './tools.ts';
import { keepVisualizer } from './visualizer.ts';
import { Keeper, writeScaffold } from './workspace-files.ts';

export type InitWork = {
  readonly id: string;
  readonly workspace: Folder;
  readonly config: Pick<Resolved, 'get'>;
  readonly source: ContestSource;
  readonly language: Language;
  readonly isLanguageNamed: boolean;
  /** Take everything of the contest anew. */
  readonly isFresh: boolean;
  /** Its user says that the rules of the contest allow what we do. Asked only where it matters. */
  readonly confirm: (standing: Exclude<Standing, 'over'>, endsAt: string | null) => Promise<boolean>;
  readonly parts: IntakeParts;
  readonly signal: AbortSignal;
};

export type InitReport = {
  readonly contest: ContestFile;
  readonly standing: Standing;
  readonly languages: readonly Language[];
  readonly samples: number;
  readonly isBuilt: boolean;
  readonly inputs: Pick<Inputs, 'count' | 'how'>;
  /** What a search begins with; `words`: in a sentence. */
  readonly firstProgram: FirstProgramAccount & { readonly words: string };
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly troubles: readonly Trouble[];
};

/** Throws `UserError` where there is no such contest, or it is not to be worked on: then nothing was made. */
export async function initWorkspace(work: InitWork): Promise<InitReport> {
  const { id, workspace, source, parts, signal } = work;
  const known = await contestBefore(workspace);
  const schedule = scheduleOf(known) ?? (await source.schedule(signal));
  const standing = standingOf(schedule, parts.clock.now());
  const confirmed = known?.confirmed ?? (await permission(work, standing, schedule));
  const raw = await pageOf(work);
  if (raw === null && source.url !== null) throw noTask(id, source.url);

  const keeper = new Keeper(workspace);
  await writeScaffold(keeper, id, work.config);
  if (work.isFresh) await putProblemAside(workspace, raw);
  else await putPageAside(workspace, raw);
  const page = parseTaskPage(raw ? pageText(raw) : '');
  const contest = contestFrom(page, work.language, {
    id,
    url: source.url ?? known?.url ?? null,
    startsAt: schedule && isoTime(schedule.startMs),
    endsAt: schedule && isoTime(schedule.endMs),
    tools: known?.tools ?? null,
    confirmed,
  });
  await keeper.renew(layout.contest, jsonOf(contest));
  const troubles = raw ? await writeProblem({ ...work, keeper, raw, page }) : [noPage];
  const outcome = await bringTools({ ...work, keeper, page, known: contest.tools }, contest);
  await noteBeginning(keeper, work);
  return { ...outcome, standing, troubles: [...troubles, ...outcome.troubles] };
}

/** What is here; where that is none (cut off, emptied, another page), what the source has. */
async function pageOf({ workspace, source, isFresh, signal }: InitWork): Promise<Uint8Array | null> {
  const here = isFresh ? null : await workspace.readBytes(layout.page);
  if (here === null) return source.page(signal);
  if (hasStatement(here)) return here;
  const found = await source.page(signal).catch(ifExplained);
  return found !== null && hasStatement(found) ? found : here;
}

function hasStatement(raw: Uint8Array): boolean {
  return languagesOf(parseTaskPage(pageText(raw))).length > 0;
}

async function bringTools(
  work: InitWork & ToolsWork,
  contest: ContestFile,
): Promise<Omit<InitReport, 'standing'>> {
  const { keeper, page } = work;
  const placed = await placeTools(work);
  const whole = withTools(contest, placed);
  await keeper.renew(layout.contest, jsonOf(whole));
  const drawing = await keepVisualizer(work);
  const { isBuilt, troubles } = placed.report
    ? await buildTools(work, placed.report)
    : { isBuilt: false, troubles: [] };
  const languages = languagesOf(page);
  const samples =
    languages.map((each) => page.statements[each]?.samples ?? []).find(({ length }) => length > 0) ?? [];
  const inputs = await makeInputs(work, { report: placed.report, isBuilt, samples });
  const first = await bringFirstProgram({ ...work, contest: whole, isBuilt });
  return {
    contest: whole,
    languages,
    samples: samples.length,
    isBuilt,
    inputs,
    firstProgram: { ...first, words: tellFirstProgram(first) },
    written: [...new Set(keeper.written)],
    kept: keeper.kept,
    troubles: [...placed.troubles, ...drawing, ...troubles, ...inputs.troubles, ...doubts(whole)],
  };
}

/** With --fresh: what was written from another page is put beside what is written from this one. */
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

/** A page that holds no statement, where there is a better one. */
async function putPageAside(workspace: Folder, raw: Uint8Array | null): Promise<void> {
  const before = await workspace.readBytes(layout.page);
  if (before === null || raw === null || pageText(before) === pageText(raw)) return;
  if (before.length > 0) await workspace.write(`${layout.problem}/before/page.html`, before);
  await workspace.remove(layout.page);
}

async function noteBeginning({ folder, written, kept }: Keeper, { id, parts }: InitWork): Promise<void> {
  const isThere = (await folder.read(layout.experiments)) !== null;
  if (!isThere) await folder.append(layout.experiments, `${isoTime(parts.clock.now())} init ${id}`);
  (isThere ? kept : written).push(layout.experiments);
}

function noTask(id: string, url: string): UserError {
  return new UserError({
    code: 'no-task',
    what: `${id} has no task that could be found at ${url}. Nothing was made.`,
    fix: 'Open the contest in a browser; if you see the task there, save the page and give it with --from.',
  });
}

const noPage = missing(
  'There is no page of the task among what --from names: the workspace has no statement.',
  'Save the page of the task and give it too: `polya ahc init ID --from page.html --from tools.zip`.',
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
