/** `problem/contest.json`: what was there, what a page and the tools say, and which of that is only a guess. */
import type { Folder } from '../../../core/io.ts';
import { type ContestFile, contestSchema } from '../../../families/ahc/contest.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { dialogueOf } from './crate.ts';
import { findingsIn } from './detect.ts';
import type { Language, TaskPage } from './page.ts';
import type { IntakeParts, Trouble } from './parts.ts';
import type { Schedule } from './schedule.ts';
import type { ToolsOutcome } from './tools/place.ts';

/** Null where there is none that can be read. */
export async function contestBefore(workspace: Folder): Promise<ContestFile | null> {
  const text = await workspace.read(layout.contest);
  try {
    const parsed = contestSchema.safeParse(JSON.parse(text ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    // Broken off, or changed by hand: it is made anew.
    return null;
  }
}

type Facts = {
  readonly work: {
    readonly id: string;
    readonly language: Language;
    readonly parts: Pick<IntakeParts, 'isoTime'>;
  };
  readonly schedule: Schedule | null;
  readonly confirmed: ContestFile['confirmed'];
  readonly tools: ContestFile['tools'];
  readonly url: string | null;
};

export function contestFrom(page: TaskPage, { work, schedule, confirmed, tools, url }: Facts): ContestFile {
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

export function withTools(contest: ContestFile, { report, sha256 }: ToolsOutcome): ContestFile {
  if (!report) return contest;
  const { binaries, generator, judge, tester } = report;
  const said = contest.isInteractive;
  const isInteractive = said.value ? said : (dialogueOf(report) ?? said);
  return { ...contest, isInteractive, tools: { binaries, generator, judge, tester, sha256 } };
}

/** Guesses that its user should look at, because no sentence speaks for them. */
export function doubts({ direction, isInteractive, tools }: ContestFile): Trouble[] {
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

export function jsonOf(contest: ContestFile): string {
  return `${JSON.stringify(contest, null, 2)}\n`;
}
