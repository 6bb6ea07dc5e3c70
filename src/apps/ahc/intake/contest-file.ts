/** `problem/contest.json`: what was there, what a page and the tools say, and which of that is only a guess. */
import { load } from 'cheerio/slim';
import type { Folder } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { type ContestFile, contestFileSchema } from '../../../families/ahc/workspace.ts';
import { dialogueOf } from './crates.ts';
import type { Language, TaskPage } from './page.ts';
import { note, type Trouble } from './source.ts';
import type { ToolsOutcome } from './tools.ts';

/** Null where there is none that can be read. */
export async function contestBefore(workspace: Folder): Promise<ContestFile | null> {
  // What was broken off, or changed by hand, is made anew.
  const parsed = contestFileSchema.safeParse(jsonIn(await workspace.read(layout.contest)));
  return parsed.success ? parsed.data : null;
}

export function contestFrom(
  page: TaskPage,
  language: Language,
  known: Pick<ContestFile, 'id' | 'url' | 'startsAt' | 'endsAt' | 'tools' | 'confirmed'>,
): ContestFile {
  const { id, url, startsAt, endsAt, tools, confirmed } = known;
  // The sentence that is shown should be one that its reader can read.
  const { [language]: own, ...others } = page.statements;
  const statements = own ? { [language]: own, ...others } : others;
  return {
    version: 1,
    id,
    title: page.title ?? id,
    url,
    startsAt,
    endsAt,
    timeLimitSeconds: positiveOrNull(page.timeLimitSeconds),
    memoryLimitMegabytes: positiveOrNull(page.memoryLimitMegabytes),
    ...findingsIn({ ...page, statements }),
    tools,
    confirmed,
  };
}

const positiveOrNull = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

export function withTools(contest: ContestFile, { report, sha256 }: ToolsOutcome): ContestFile {
  if (!report) return contest;
  const { binaries, generator, judge, tester } = report;
  const said = contest.isInteractive;
  const isInteractive = said.value ? said : (dialogueOf(report) ?? said);
  return { ...contest, isInteractive, tools: { binaries, generator, judge, tester, sha256 } };
}

/** Guesses that its user should look at, because no sentence speaks for them. */
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

type Rules<T> = readonly { readonly value: T; readonly pattern: RegExp }[];

/** `minimise` first, because its words are the rarer ones. */
const directions: Rules<'maximise' | 'minimise'> = [
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

const relative =
  /relative (score|evaluation)|(best|lowest|highest|largest|smallest)[^.。]{0,50}(among )?all (participants|contestants)|round\s*\(\s*10\^?\{?9|相対(評価|スコア)|全(参加者|提出)[^。]{0,12}(最小|最大|最良)/i;

const dialogue =
  /interactive (problem|judge)|interact with the judge|flush (the )?(standard )?output|インタラクティブ|対話(形式|的)|フラッシュ/i;

export function findingsIn(page: TaskPage): Pick<ContestFile, 'direction' | 'scoring' | 'isInteractive'> {
  const sections = Object.values(page.statements).flatMap((statement) => statement.sections);
  const onScoring = sections.filter(({ heading }) => /scor|得点|評価|スコア/i.test(heading));
  const places = [onScoring, sections].map((some) => some.flatMap(({ html }) => sentencesOf(html)));
  return {
    direction: found(directions, places, 'maximise'),
    scoring: found([{ value: 'relative', pattern: relative }], places, 'absolute'),
    isInteractive: found([{ value: true, pattern: dialogue }], places, false),
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

/** The first match in the sections on scoring, else anywhere. */
function found<T>(rules: Rules<T>, places: readonly (readonly string[])[], otherwise: T): Finding<T> {
  for (const sentences of places) {
    for (const { value, pattern } of rules) {
      const because = sentences.find((sentence) => pattern.test(sentence));
      if (because !== undefined) return { value, because };
    }
  }
  return { value: otherwise, because: null };
}
