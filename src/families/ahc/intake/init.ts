/**
 * A workspace from nothing, or from what an earlier `polya ahc init` left: the contest is looked at first, and refused where it may
 * still run; then everything that is missing is made. What cannot be made is told, and the rest goes on. Files that are
 * there belong to their user and stay.
 */
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import type { Resolved } from '../config/resolve.ts';
import { type ContestFile, contestSchema } from '../contest.ts';
import { findingsIn } from '../detect.ts';
import { layout } from '../layout.ts';
import { type Language, parseTaskPage, type TaskPage } from '../page.ts';
import { type Schedule, type Standing, standingOf } from '../schedule.ts';
import { dialogueOf } from './crate.ts';
import { Keeper } from './keeper.ts';
import type { IntakeParts, Trouble } from './parts.ts';
import { writeProblem } from './problem.ts';
import { writeScaffold } from './scaffold.ts';
import type { ContestSource } from './source.ts';
import {
  buildTools,
  type Inputs,
  keepVisualizer,
  makeInputs,
  placeTools,
  type ToolsOutcome,
} from './tools.ts';

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
  readonly confirm: (standing: Uncertain, endsAt: string | null) => Promise<boolean>;
  readonly parts: IntakeParts;
  readonly signal: AbortSignal;
};

type Uncertain = Exclude<Standing, 'over'>;

export type InitReport = {
  readonly contest: ContestFile;
  readonly standing: Standing;
  readonly languages: readonly Language[];
  readonly samples: number;
  readonly isBuilt: boolean;
  readonly inputs: Pick<Inputs, 'count' | 'how'>;
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly troubles: readonly Trouble[];
};

/** Throws `UserError` where there is no such contest, or it is not to be worked on: then nothing was made. */
export async function initWorkspace(work: InitWork): Promise<InitReport> {
  const { workspace, source, parts, signal } = work;
  const known = await contestBefore(workspace);
  const schedule = scheduleOf(known) ?? (await source.schedule(signal));
  const standing = standingOf(schedule, parts.clock.now());
  const confirmed = await permission(work, standing, { known, schedule });
  const raw = (work.isFresh ? null : await workspace.readBytes(layout.page)) ?? (await source.page(signal));
  if (raw === null && source.url !== null) throw noTask(work.id, source.url);

  const keeper = new Keeper(workspace);
  await writeScaffold(keeper, work.id, work.config);
  if (work.isFresh) await putProblemAside(workspace, raw);
  const page = parseTaskPage(raw ? new TextDecoder().decode(raw) : '');
  const contest = contestFrom(page, {
    work,
    schedule,
    confirmed,
    tools: known?.tools ?? null,
    url: source.url ?? known?.url ?? null,
  });
  await keeper.renew(layout.contest, jsonOf(contest));
  const troubles = raw ? await writeProblem({ ...work, keeper, raw, page }) : [noPage];
  const outcome = await bringTools({ work, keeper, page, contest });
  await noteBeginning(keeper, work);
  return { ...outcome, standing, troubles: [...troubles, ...outcome.troubles] };
}

async function bringTools({
  work,
  keeper,
  page,
  contest,
}: {
  readonly work: InitWork;
  readonly keeper: Keeper;
  readonly page: TaskPage;
  readonly contest: ContestFile;
}): Promise<Omit<InitReport, 'standing'>> {
  const toolsWork = { ...work, keeper, page, known: contest.tools };
  const placed = await placeTools(toolsWork);
  const whole = withTools(contest, placed);
  await keeper.renew(layout.contest, jsonOf(whole));
  await keepVisualizer(toolsWork);
  const built = placed.report ? await buildTools(toolsWork, placed.report) : { isBuilt: false, troubles: [] };
  const languages = (['ja', 'en'] as const).filter((language) => page.statements[language] !== undefined);
  const samples =
    languages.map((language) => page.statements[language]?.samples ?? []).find((each) => each.length > 0) ??
    [];
  const inputs = await makeInputs(toolsWork, { report: placed.report, isBuilt: built.isBuilt, samples });
  return {
    contest: whole,
    languages,
    samples: samples.length,
    isBuilt: built.isBuilt,
    inputs,
    written: [...new Set(keeper.written)],
    kept: keeper.kept,
    troubles: [...placed.troubles, ...built.troubles, ...inputs.troubles, ...doubts(whole)],
  };
}

async function contestBefore(workspace: Folder): Promise<ContestFile | null> {
  const text = await workspace.read(layout.contest);
  try {
    const parsed = contestSchema.safeParse(JSON.parse(text ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    // Broken off, or changed by hand: it is made anew.
    return null;
  }
}

function scheduleOf(known: ContestFile | null): Schedule | null {
  const startMs = Date.parse(known?.startsAt ?? '');
  const endMs = Date.parse(known?.endsAt ?? '');
  return startMs < endMs ? { startMs, endMs } : null;
}

/** Throws `UserError` for a contest that may still run, unless its user knows that its rules allow this. */
async function permission(
  { id, confirm, parts }: InitWork,
  standing: Standing,
  { known, schedule }: { known: ContestFile | null; schedule: Schedule | null },
): Promise<ContestFile['confirmed']> {
  if (standing === 'over' || known?.confirmed) return known?.confirmed ?? null;
  const endsAt = schedule ? parts.isoTime(schedule.endMs) : null;
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
      `Nobody says when ${id} ended: it may still be running.`,
      'Contests have rules on tools and generative AI that hold while they run.',
    ],
  }[standing];
  throw new UserError({
    what: `${what} Nothing was made.`,
    why: why ?? '',
    fix: "Read the contest's own rules. If they allow what you want to do, say so with --i-confirm-the-rules-allow-this; contests that are over are free to practise on.",
  });
}

type Facts = {
  readonly work: InitWork;
  readonly schedule: Schedule | null;
  readonly confirmed: ContestFile['confirmed'];
  readonly tools: ContestFile['tools'];
  readonly url: string | null;
};

function contestFrom(page: TaskPage, { work, schedule, confirmed, tools, url }: Facts): ContestFile {
  const { parts, id } = work;
  return {
    version: 1,
    id,
    title: page.title ?? id,
    url,
    startsAt: schedule && parts.isoTime(schedule.startMs),
    endsAt: schedule && parts.isoTime(schedule.endMs),
    timeLimitSeconds: positiveOrNull(page.timeLimitSeconds),
    memoryLimitMegabytes: positiveOrNull(page.memoryLimitMegabytes),
    ...findingsIn({ ...page, statements: inOrder(page, work.language) }),
    tools,
    confirmed,
  };
}

/** The sentence that is shown should be one that its reader can read. */
function inOrder({ statements }: TaskPage, first: Language): TaskPage['statements'] {
  const { [first]: own, ...others } = statements;
  return own ? { [first]: own, ...others } : others;
}

function positiveOrNull(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}

function withTools(contest: ContestFile, { report, sha256 }: ToolsOutcome): ContestFile {
  if (!report) return contest;
  const { binaries, generator, judge, tester } = report;
  const said = contest.isInteractive;
  const isInteractive = said.value ? said : (dialogueOf(report) ?? said);
  return { ...contest, isInteractive, tools: { binaries, generator, judge, tester, sha256 } };
}

/** With --fresh: what was written from another page is put beside what is written from this one. */
async function putProblemAside(workspace: Folder, raw: Uint8Array | null): Promise<void> {
  const before = await workspace.read(layout.page);
  if (raw === null || before === null || before === new TextDecoder().decode(raw)) return;
  for (const name of await workspace.files(layout.problem)) {
    if (name.startsWith('before/') || `${layout.problem}/${name}` === layout.contest) continue;
    const bytes = await workspace.readBytes(`${layout.problem}/${name}`);
    if (bytes) await workspace.write(`${layout.problem}/before/${name}`, bytes);
    await workspace.remove(`${layout.problem}/${name}`);
  }
}

/** Guesses that its user should look at, because no sentence speaks for them. */
function doubts({ direction, isInteractive, tools }: ContestFile): Trouble[] {
  const found: Trouble[] = [];
  if (direction.because === null) {
    found.push({
      what: `No sentence of the statement says whether more is better; ${direction.value} is taken.`,
      fix: 'Correct it with `polya ahc config contest.direction …` where that is wrong.',
      isUnfinished: false,
    });
  }
  if (isInteractive.value && tools && tools.tester === null) {
    found.push({
      what: 'The contest seems to be interactive, and its tools have no tester.',
      fix: 'Correct it with `polya ahc config contest.interactive false` where that is wrong.',
      isUnfinished: false,
    });
  }
  if (tools && tools.judge === null && tools.tester === null) {
    found.push({
      what: `None of the tools is known to score: ${tools.binaries.join(', ') || 'there are none'}.`,
      fix: '`polya ahc test` will tell whether a program ends well, and its time.',
      isUnfinished: false,
    });
  }
  return found;
}

async function noteBeginning(keeper: Keeper, { id, parts }: InitWork): Promise<void> {
  if ((await keeper.folder.read(layout.experiments)) !== null) {
    keeper.kept.push(layout.experiments);
    return;
  }
  await keeper.folder.append(layout.experiments, `${parts.isoTime(parts.clock.now())} init ${id}`);
  keeper.written.push(layout.experiments);
}

function jsonOf(contest: ContestFile): string {
  return `${JSON.stringify(contest, null, 2)}\n`;
}

function noTask(id: string, url: string): UserError {
  return new UserError({
    what: `${id} has no task that could be found at ${url}. Nothing was made.`,
    fix: 'Open the contest in a browser; if you see the task there, save the page and give it with --from.',
  });
}

const noPage: Trouble = {
  what: 'There is no page of the task among what --from names: the workspace has no statement.',
  fix: 'Save the page of the task and give it too: `polya ahc init ID --from page.html --from tools.zip`.',
  isUnfinished: true,
};
