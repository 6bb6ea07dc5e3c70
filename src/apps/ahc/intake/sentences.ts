/**
 * Sentences of statements that tell how a contest counts, in English and Japanese, by rank: of the score itself, then whose
 * score ranks first, then what is to be as small or large as can be, which may be only a part of it.
 */

type SentenceRule<T> = { readonly value: T; readonly patterns: readonly RegExp[] };

/** Rules of one rank are of equal weight. */
export type Ranks<T> = readonly (readonly SentenceRule<T>[])[];

export const directionSentences: Ranks<'maximise' | 'minimise'> = [
  [
    {
      value: 'minimise',
      patterns: [
        /\b(lower|smaller|less|fewer|shorter|cheaper)\b[^.。]{0,60}\b(is|are|the|in a)\b[^.。]{0,20}better/i,
        /\b(lower|smaller|fewer|shorter)\b[^.。]{0,40}\brank(s|ed)?\b[^.。]{0,10}(higher|first|above)/i,
        /minimi[sz]e (the|your) (\w+ ){0,2}score/i,
        /\b(lowest|smallest|minimum)\b[^.。]{0,40}among (all|the) (participants|contestants|competitors)/i,
        /\bMIN[}\s)]*[/{][\s({\\]*(mathrm|text|rm)?[\s{]*YOURS?\b/i,
        /(小さい|低い|少ない|短い)(得点|スコア|評価値|コスト|点|値)?(ほど|方が|ほうが)[^。]{0,12}(良|よ|高(?!い?(得点|スコア|評価|点)|得点)|上位)(?!いとは限|くな|いわけ)/i,
        /(小さい|低い|少ない|短い)(ほど|方が|ほうが)、?順位[がは](高|上)/i,
        /(得点|スコア|評価値|コスト|点)(の合計|の総和)?[がの]?(小さい|低い|少ない|短い)順/i,
        /全(参加者|提出)[^。]{0,12}最(小|低)/i,
        /(score|cost)\b[^.。]{0,30}\bbetter\b[^.。]{0,20}\b(lower|smaller|less)\b/i,
        /\brank(s|ed|ing)?\b[^.。]{0,60}\bascending order\b(?! of rank)/i,
        /最(小|低|良)の?[^。/÷]{0,12}[/÷]\s*(あなた|自分|自身|提出)/i,
        /\b(smallest|lowest|min(imum)?|best)\b[^.。/÷]{0,20}[/÷]\s*(the |your )(\w+ ){0,2}(score|cost)/i,
        /\bscores?\b[^.。]{0,30}\b(sorted|ordered|listed)\b[^.。]{0,20}\bascending\b/i,
        /\b(scores?|penalty|cost)\b[^.。]{0,20}\blowest first\b/i,
      ],
    },
    {
      value: 'maximise',
      patterns: [
        /\b(higher|larger|greater|more|longer)\b[^.。]{0,60}\b(is|are|the|in a)\b[^.。]{0,20}better/i,
        /\b(higher|larger|greater)\b[^.。]{0,40}\brank(s|ed)?\b[^.。]{0,10}(higher|first|above)/i,
        /maximi[sz]e (the|your) (\w+ ){0,2}score/i,
        /\b(highest|largest|maximum)\b[^.。]{0,40}among (all|the) (participants|contestants|competitors)/i,
        /\bYOURS?[}\s)]*[/{][\s({\\]*(mathrm|text|rm)?[\s{]*MAX\b/i,
        /(大きい|高い|多い|長い)(得点|スコア|評価値|コスト|点|値)?(ほど|方が|ほうが)[^。]{0,12}(良|よ|上位)(?!いとは限|くな|いわけ)/i,
        /全(参加者|提出)[^。]{0,12}最(大|高)/i,
        /(score)\b[^.。]{0,30}\bbetter\b[^.。]{0,20}\b(higher|larger|greater)\b/i,
        /\brank(s|ed|ing)?\b[^.。]{0,60}\bdescending order\b/i,
        /(小さい|低い|少ない|短い)(ほど|方が|ほうが)[^。]{0,8}((得点|スコア|点数?|評価値?)[がは](高|大き)|(高い?|大きい|大きな)(得点|スコア|点))/i,
        /\b(smaller|lower|fewer|shorter|less)\b[^.。]{0,60}\b(higher|larger|greater|more)\b[^.。]{0,12}\b(scores?|points)\b/i,
        /(あなた|自分|自身|提出)の?[^。/÷]{0,12}[/÷]\s*最(大|高)/i,
        /\b(your|the) (\w+ ){0,2}score\s*[/÷]\s*(the )?(largest|highest|max(imum)?|best)\b/i,
        /\bscores?\b[^.。]{0,30}\b(sorted|ordered|listed)\b[^.。]{0,20}\bdescending\b/i,
        /\b(scores?|points)\b[^.。]{0,20}\bhighest first\b/i,
      ],
    },
  ],
  [
    {
      value: 'minimise',
      patterns: [
        /最(小|低)の?(絶対|相対)?(得点|スコア|評価値|コスト|点)[^。]{0,30}(順位|決定|比較)/i,
        /\b(lowest|smallest|minimum)\b[^.。]{0,20}(score|cost)[^.。]{0,80}(rank|standing|determin)/i,
        /(rank|standing)[^.。]{0,80}\b(lowest|smallest|minimum)\b[^.。]{0,20}(score|cost)/i,
        /ascending order of[^.。]{0,40}(score|cost)/i,
        /(得点|スコア)の?昇順/i,
        /(順位|最終)[^。]{0,30}小さい(方|ほう)が上/i,
      ],
    },
    {
      value: 'maximise',
      patterns: [
        /最(高|大)の?(絶対|相対)?(得点|スコア|評価値|点)[^。]{0,30}(順位|決定|比較)/i,
        /(得点|スコア)の?(が|の)?(高い|大きい)順/i,
        /\b(highest|largest|maximum)\b[^.。]{0,20}score[^.。]{0,80}(rank|standing|determin)/i,
        /(rank|standing)[^.。]{0,80}\b(highest|largest|maximum)\b[^.。]{0,20}score/i,
        /descending order of[^.。]{0,40}score/i,
        /(得点|スコア)の?降順/i,
        /(順位|最終)[^。]{0,30}大きい(方|ほう)が上/i,
      ],
    },
  ],
  [
    {
      value: 'minimise',
      patterns: [
        /(できるだけ|なるべく)(小さ|少な|短|低)/i,
        /as (small|few|short|low|little) as possible/i,
        /minimi[sz]e (the|it|this|that|your)\b/i,
        /最小化/i,
      ],
    },
    {
      value: 'maximise',
      patterns: [
        /(できるだけ|なるべく)(大き|多|長|高)/i,
        /as (large|many|long|high|much|big) as possible/i,
        /maximi[sz]e (the|it|this|that|your)\b/i,
        /as (high|large|big) an? score as possible/i,
        /最大化/i,
      ],
    },
  ],
];

export const scoringSentences: Ranks<'absolute' | 'relative'> = [
  [
    {
      value: 'relative',
      patterns: [
        /(?<!\b(no|not|without)\b[^.]{0,12})relative (scor|evaluation)/i,
        /(best|lowest|highest|largest|smallest)[^.。]{0,50}(among )?all (participants|contestants|competitors)/i,
        /round\s*\(\s*10\^?\{?9/i,
        /相対(評価|スコア)(?!(の合計|の総和)?で(は|な))/i,
        /全(参加者|提出)[^。]{0,12}最(小|大|良|高|低|善)/i,
      ],
    },
  ],
  [
    {
      value: 'absolute',
      patterns: [
        /(得点|スコア)の(合計|総和|総計|和)/i,
        /合計(得点|スコア|点)/i,
        /(sum|total) of (the |your )?(\w+ )?scores?\b/i,
      ],
    },
  ],
];

export const interactiveSentences: Ranks<boolean> = [
  [
    {
      value: true,
      patterns: [
        /interactive (problem|judge)/i,
        /interact with the judge/i,
        /flush (the )?(standard )?output/i,
        /インタラクティブ/i,
        /対話(形式|的)/i,
        /フラッシュ/i,
      ],
    },
  ],
];
