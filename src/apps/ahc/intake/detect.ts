/**
 * What a statement says of how a contest is scored: more or less, against others or alone, in a dialogue or not. Each
 * finding names the sentence that it rests on, so that a person can correct it. Guesses are told as guesses.
 */
import { load } from 'cheerio/slim';
import type { TaskPage } from './page.ts';

export type Finding<T> = {
  readonly value: T;
  /** The sentence, or null where nothing was said and the value is what most contests have. */
  readonly because: string | null;
};

export type Findings = {
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
