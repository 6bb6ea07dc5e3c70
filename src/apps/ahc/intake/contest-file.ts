/** `problem/contest.json`: what was there, what a page and the tools say, and which of that is only a guess. */
import { load } from 'cheerio/slim';
import type { Folder } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';
import type { PastContest } from '../../../families/ahc/database/record.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { type ContestFile, contestFileSchema } from '../../../families/ahc/workspace.ts';
import { dialogueOf } from './crates.ts';
import type { Language, TaskPage } from './page.ts';
import { directionSentences, interactiveSentences, type Ranks, scoringSentences } from './sentences.ts';
import { note, type Schedule, type Trouble } from './source.ts';
import type { ToolsOutcome } from './tools.ts';

/** Null if there is no readable one. */
export async function contestBefore(workspace: Folder): Promise<ContestFile | null> {
  // A file that is incomplete or was changed by hand is made again.
  const parsed = contestFileSchema.safeParse(jsonIn(await workspace.read(layout.contest)));
  return parsed.success ? parsed.data : null;
}

export function contestFrom(
  page: TaskPage,
  language: Language,
  known: Pick<ContestFile, 'id' | 'url' | 'startsAt' | 'endsAt' | 'tools' | 'confirmed'>,
  previous: PastContest | null,
): { readonly contest: ContestFile; readonly conflicts: readonly Trouble[] } {
  const { id, url, startsAt, endsAt, tools, confirmed } = known;
  // The sentence that is shown should be one that its reader can read.
  const { [language]: own, ...others } = page.statements;
  const statements = own ? { [language]: own, ...others } : others;
  const { conflicts, ...findings } = findingsIn({ ...page, statements }, previous);
  const contest: ContestFile = {
    version: 1,
    id,
    title: page.title ?? previous?.title ?? id,
    url,
    startsAt,
    endsAt,
    timeLimitSeconds: positiveOrNull(page.timeLimitSeconds),
    memoryLimitMegabytes: positiveOrNull(page.memoryLimitMegabytes),
    ...findings,
    tools,
    confirmed,
  };
  return { contest, conflicts };
}

/**
 * When a past contest was, by its day in Japan: begun with that day, and over a day after its last hour could have been.
 * Null where the database does not know it.
 */
export function scheduleOfPast(past: PastContest | null): Schedule | null {
  const day = Date.parse(`${past?.date ?? ''}T00:00:00+09:00`);
  const hours = past?.length_hours ?? longestHours;
  return Number.isNaN(day) ? null : { startMs: day, endMs: day + (24 + hours) * 3_600_000 };
}

const longestHours = 15 * 24;

const positiveOrNull = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

export function withTools(contest: ContestFile, { report, sha256 }: ToolsOutcome): ContestFile {
  if (!report) return contest;
  const { binaries, generator, judge, tester } = report;
  const said = contest.isInteractive;
  const isInteractive = said.value ? said : (dialogueOf(report) ?? said);
  return { ...contest, isInteractive, tools: { binaries, generator, judge, tester, sha256 } };
}

/** Facts that no sentence of the statement supports, so that the user should check them. */
export function doubts({ direction, isInteractive, tools }: ContestFile): Trouble[] {
  const isDoubtful = direction.because === null;
  const lacksTester = isInteractive.value && tools?.tester === null;
  const scoresNothing = tools?.judge === null && tools.tester === null;
  return [
    isDoubtful &&
      note(
        `No sentence of the statement says whether more is better; ${direction.value} is taken.`,
        'Correct it with `polya ahc config contest.direction …` where that is wrong.',
      ),
    lacksTester &&
      note(
        'The contest seems to be interactive, and its tools have no tester.',
        'Correct it with `polya ahc config contest.interactive false` where that is wrong.',
      ),
    scoresNothing &&
      note(
        `None of the tools is known to score: ${tools.binaries.join(', ') || 'there are none'}.`,
        '`polya ahc test` will tell whether a program ends well, and its time.',
      ),
  ].filter((trouble) => trouble !== false);
}

type Finding<T> = {
  readonly value: T;
  /** The sentence, or null where nothing was said and the value is what most contests have. */
  readonly because: string | null;
};

type Past = Pick<PastContest, 'contest_id' | 'score_rule' | 'interactive'>;
type Findings = Pick<ContestFile, 'direction' | 'scoring' | 'isInteractive'> & {
  /** Where statement and database, or two sentences, say different things. */
  readonly conflicts: readonly Trouble[];
};

export function findingsIn(page: TaskPage, previous: Past | null = null): Findings {
  const sections = Object.values(page.statements).flatMap((statement) => statement.sections);
  const onScoring = sections.filter(({ heading }) => /scor|得点|評価|スコア|順位|rank/i.test(heading));
  const positions = [onScoring, sections].map((some) => some.flatMap(({ html }) => sentencesOf(html)));
  const type = previous?.score_rule.type === 'rank' ? 'relative' : (previous?.score_rule.type ?? null);
  const direction = find('direction', directionSentences, positions, previous?.score_rule.direction ?? null);
  const scoring = find('scoring', scoringSentences, positions, type);
  const interactive = find('interactive', interactiveSentences, positions, previous?.interactive ?? null);
  return {
    direction: direction.finding ?? { value: 'maximise', because: null },
    scoring: scoring.finding ?? { value: 'absolute', because: null },
    isInteractive: interactive.finding ?? { value: false, because: null },
    conflicts: [direction, scoring, interactive].flatMap(({ conflict }) => conflict ?? []),
  };
}

function sentencesOf(html: string): string[] {
  return load(html)
    .root()
    .text()
    .split(/(?<=[.!?。])\s+|(?<=。)|\n{2,}/)
    .map((sentence) => sentence.trim().replaceAll(/\s+/g, ' '))
    .filter((sentence) => sentence !== '');
}

/**
 * The first match in the sections on scoring, else anywhere; where they differ or nothing matches, what is known already.
 */
function find<T>(
  key: string,
  ranks: Ranks<T>,
  positions: readonly (readonly string[])[],
  known: T | null,
): { readonly finding: Finding<T> | null; readonly conflict: Trouble | null } {
  const ofDatabase = known === null ? null : { value: known, because: byDatabase };
  for (const rules of ranks) {
    for (const place of positions) {
      const messages = rules.flatMap(({ value, patterns }) => {
        const reason = place.find((sentence) => patterns.some((pattern) => pattern.test(sentence)));
        return reason === undefined ? [] : [{ value, because: reason }];
      });
      const [first, second] = messages;
      if (first === undefined) continue;
      const finding = second ? (messages.find(({ value }) => value === known) ?? first) : first;
      const other = messages.find((each) => each !== finding) ?? ofDatabase;
      const isOther = other !== null && other.value !== finding.value;
      return { finding, conflict: isOther ? conflictOf(key, finding, other) : null };
    }
  }
  return { finding: ofDatabase, conflict: null };
}

const byDatabase = 'Polya’s own database of past contests says so.';

function conflictOf<T>(key: string, claimed: Finding<T>, other: Finding<T>): Trouble {
  const words = ({ value, because }: Finding<T>) => `${String(value)} ("${(because ?? '').slice(0, 120)}")`;
  return note(
    `What is known of ${key} differs: ${words(claimed)} is taken, and ${words(other)} speaks for the other.`,
    `Correct it with \`polya ahc config contest.${key} ${String(other.value)}\` where that is wrong.`,
  );
}
