/** What a person means, found by rules where no model says it: Japanese and English. Pure. */
import type { HintRange } from '../../../notes/evolution.ts';

export type MessageMeaning =
  | { readonly kind: 'hint'; readonly text: string }
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'range'; readonly text: string; readonly range: HintRange }
  | {
      readonly kind: 'reference';
      readonly text: string;
      /** `ahc015`. */
      readonly contests: readonly string[];
      /** Words to look for in the algorithm library. */
      readonly algorithms: readonly string[];
    };

export function interpretByRules(said: string): MessageMeaning {
  const text = said.normalize('NFKC').trim();
  const range = rangeIn(text);
  if (range) return { kind: 'range', text, range };
  // A reference is often put as a question: "could the beam search of ahc015 help?"
  const contests = contestsIn(text);
  if (contests.length > 0 && wantsUse.test(text)) {
    return { kind: 'reference', text, contests, algorithms: algorithmsIn(text) };
  }
  return { kind: isQuestion(text) ? 'question' : 'hint', text };
}

const wantsUse =
  /参考|参照|活用|使っ|使え|応用|取り入れ|真似|アイデア|\b(?:use|using|used|help|borrow|adapt|apply|try|take|idea|ideas|like|inspired?|reference|learn)\b/i;

export function contestsIn(text: string): readonly string[] {
  const ids = [...text.matchAll(/(?<![a-z0-9])ahc[\s_-]?(\d{3})(?!\d)/gi)].map(
    ([, number]) => `ahc${number}`,
  );
  return [...new Set(ids)];
}

const number = String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?`;
/** As long as it is: no part of a name is tried alone. */
const name = String.raw`(?=[\p{L}_])(?<![\p{L}_]\p{N}*)[\p{L}_][\p{L}\p{N}_]*`;
const ranges: readonly RegExp[] = [
  // パラメータXを0.1から0.9の範囲で
  new RegExp(
    `(?<name>${name})\\s*(?:を|は|の値を)\\s*(?<low>${number})\\s*(?:から|~|〜|-|\\.\\.)\\s*(?<high>${number})`,
    'iu',
  ),
  // X from 0.1 to 0.9, X between 0.1 and 0.9, X in 0.1..0.9
  new RegExp(
    `(?<name>${name})\\s+(?:(?:from|between|in|within|over)\\s+)?(?:the\\s+range\\s+(?:of\\s+|from\\s+)?)?\\[?(?<low>${number})\\s*(?:to|and|until|\\.\\.|,|-|~)\\s*(?<high>${number})`,
    'iu',
  ),
];

/** Null where the text names no parameter with two ends. */
function rangeIn(text: string): HintRange | null {
  for (const pattern of ranges) {
    const found = pattern.exec(text)?.groups;
    const range = found && rangeOf(found.name ?? '', Number(found.low), Number(found.high));
    if (range) return range;
  }
  return null;
}

const noNames =
  /^(?:from|between|in|on|up|down|off|out|go|goes|it|this|that|them|values?|numbers?|to|and|the|range|try|seeds?|cases?|generations?|lines?|ahc)$/i;

/** Null if the ends are no range, or the words name nothing. */
export function rangeOf(named: string, one: number, other: number): HintRange | null {
  const bare = named.replace(/^(?:パラメータ|パラメーター|変数|定数)(?:の)?/, '').trim();
  if (bare === '' || noNames.test(bare)) return null;
  if (!Number.isFinite(one) || !Number.isFinite(other) || one === other) return null;
  return { name: bare, low: Math.min(one, other), high: Math.max(one, other) };
}

const algorithms: readonly (readonly [RegExp, string])[] = [
  [/ビームサーチ|beam\s*search/i, 'beam search'],
  [/焼きなまし|焼き鈍し|simulated\s*annealing|\bannealing\b/i, 'simulated annealing'],
  [/山登り|hill[\s-]*climb/i, 'hill climbing'],
  [/貪欲|greedy/i, 'greedy'],
  [/ダイクストラ|dijkstra/i, 'dijkstra'],
  [/モンテカルロ|monte\s*carlo|mcts/i, 'monte carlo'],
  [/動的計画|dynamic\s*programming|\bdp\b/i, 'dynamic programming'],
  [/遺伝的|genetic/i, 'genetic'],
];

export function algorithmsIn(text: string): readonly string[] {
  return algorithms.filter(([pattern]) => pattern.test(text)).map(([, words]) => words);
}

/** A polite request ("could you try …?") has the form of a question but is none. */
function isQuestion(text: string): boolean {
  if (
    /^(?:could|can|would|will)\s+(?:you|we)\b/i.test(text) ||
    /(?:てみて|てください|てくれ|てもらえ|ませんか)[。?!\s]*/.test(text)
  )
    return false;
  if (/\?\s*$/.test(text)) return true;
  if (/(?:ですか|ますか|だろうか|でしょうか|どこ|なぜ|どうして|教えて)[。\s]*$/.test(text)) return true;
  return /^(?:what|why|how|which|where|when|who|is|are|does|do|did|has|have)\b/i.test(text);
}
