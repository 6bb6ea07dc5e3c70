/** `problem/contest.json`: what was there, what a page and the tools say, and which of that is only a guess. */

import { load } from 'cheerio/slim';
import type { Folder } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { type ContestFile, contestFileSchema } from '../../../families/ahc/workspace.ts';
import { dialogueOf } from './crate.ts';
import type { Language, TaskPage } from './page.ts';
import type { IntakeParts, Schedule, Trouble } from './source.ts';
import type { ToolsOutcome } from './tools/place.ts';

/** Null where there is none that can be read. */
export async function contestBefore(workspace: Folder): Promise<ContestFile | null> {
  // What was broken off, or changed by hand, is made anew.
  const parsed = contestFileSchema.safeParse(jsonIn(await workspace.read(layout.contest)));
  return parsed.success ? parsed.data : null;
}

type InitFacts = {
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

export function contestFrom(
  page: TaskPage,
  { work, schedule, confirmed, tools, url }: InitFacts,
): ContestFile {
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

type Finding<T> = {
  readonly value: T;
  /** The sentence, or null where nothing was said and the value is what most contests have. */
  readonly because: string | null;
};

type Findings = {
  readonly direction: Finding<'maximise' | 'minimise'>;
  readonly scoring: Finding<'absolute' | 'relative'>;
  readonly isInteractive: Finding<boolean>;
};

type Rule<T> = { readonly value: T; readonly pattern: RegExp };

/** First match in the sections on scoring, else anywhere: `minimise` first, because its words are the rarer ones. */
const directions: readonly Rule<'maximise' | 'minimise'>[] = [
  {
    value: 'minimise',
    pattern:
      /(lower|smaller|less)\b[^.。]{0,60}\b(is|the)\b[^.。]{0,20}better|minimi[sz]e the|(小さい|低い|少ない)ほど[^。]{0,12}(良|よ|高)|最小化/i,
  },
  {
    value: 'maximise',
    pattern:
      /(higher|larger|greater|more)\b[^.。]{0,60}\b(is|the)\b[^.。]{0,20}better|maximi[sz]e the|(大きい|高い|多い)ほど[^。]{0,12}(良|よ)|最大化/i,
  },
];

const relative: readonly Rule<'absolute' | 'relative'>[] = [
  {
    value: 'relative',
    pattern:
      /relative (score|evaluation)|(best|lowest|highest|largest|smallest)[^.。]{0,50}(among )?all (participants|contestants)|round\s*\(\s*10\^?\{?9|相対(評価|スコア)|全(参加者|提出)[^。]{0,12}(最小|最大|最良)/i,
  },
];

const dialogue: readonly Rule<boolean>[] = [
  {
    value: true,
    pattern:
      /interactive (problem|judge)|interact with the judge|flush (the )?(standard )?output|インタラクティブ|対話(形式|的)|フラッシュ/i,
  },
];

export function findingsIn(page: TaskPage): Findings {
  const texts = sentencesBySection(page);
  const onScoring = texts.filter(({ heading }) => /scor|得点|評価|スコア/i.test(heading));
  return {
    direction: found(directions, [onScoring, texts], 'maximise'),
    scoring: found(relative, [onScoring, texts], 'absolute'),
    isInteractive: found(dialogue, [texts], false),
  };
}

type SectionText = { readonly heading: string; readonly sentences: readonly string[] };

function sentencesBySection({ statements }: TaskPage): SectionText[] {
  return Object.values(statements).flatMap(({ sections }) =>
    sections.map(({ heading, html }) => ({ heading, sentences: sentencesOf(load(html).root().text()) })),
  );
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?。])\s+|(?<=。)|\n{2,}/)
    .map((sentence) => sentence.trim().replaceAll(/\s+/g, ' '))
    .filter((sentence) => sentence !== '');
}

function found<T>(
  rules: readonly Rule<T>[],
  places: readonly (readonly SectionText[])[],
  otherwise: T,
): Finding<T> {
  for (const place of places) {
    for (const { value, pattern } of rules) {
      const because = place.flatMap(({ sentences }) => sentences).find((sentence) => pattern.test(sentence));
      if (because !== undefined) return { value, because };
    }
  }
  return { value: otherwise, because: null };
}
