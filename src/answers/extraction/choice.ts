/** The letter of an option: in what was marked as the answer, and where nothing was, the one that a reply affirms. */
import { sentencesOf } from './markers.ts';
import words from './words.json' with { type: 'json' };

const patterns: readonly RegExp[] = [
  /^\s*(?:[({[]\s*)?([A-J])\s*(?:[)}\]]\s*)?(?:[.:,)]|$|(?=です|だ|でした|입니다|이다)|(?<=\s)-|(?<=\s)(?=[A-Z\d$\\(]))/,
  /\\text(?:bf|rm)?\{\s*(?:\(\s*)?([A-J])\s*(?:\)\s*)?\}/,
  /\((?:\\text\w*\{)?\s*([A-J])\s*\}?\)/,
  /\b(?:option|choice|answer|antwort|r[ée]ponse|respuesta|opci[óo]n|risposta|resposta)\s*(?::\s*)?\(?([A-J])\b\)?/i,
  /^\s*\(([a-j])\)/,
  /^\s*([a-j])\s*[.)]?\s*$/,
  /\b(?:choose|chose|pick|select)\s+\(?([A-J])\b\)?/,
  /\b([A-J])\s+is\s+(?:the\s+)?(?:correct|right)\b/,
  /^\s*\(?([A-J])\)?\s+(?:is|ist|est|es|è)(?!\p{L})/u,
  /\bis\s+\(?([A-J])\)?\s*(?:[.!]\s*)?$/,
];

export function choiceLetter(text: string): string | null {
  const plain = text.replaceAll(/\*\*|[$「」『』【】“”]/g, '');
  for (const pattern of patterns) {
    const letter = pattern.exec(plain)?.[1];
    if (letter) return letter.toUpperCase();
  }
  return null;
}

/** The option of the last conclusion, where a list calls no two right, or that on the first line alone. */
export function affirmedOption(text: string): string | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line) => labelled.exec(line)?.slice(1, 2) ?? []);
  const claims = sentencesOf(text).flatMap((each) => each.split(/;\s/));
  const affirmed = claims.filter((each) => concluding.test(each) && lettersIn(each).length > 0);
  const labels = new Set(affirmed.flatMap((each) => labelled.exec(each)?.[1] ?? []));
  const last = affirmed.at(-1);
  if (last !== undefined) return labels.size > 1 && labelled.test(last) ? null : onlyLetterIn(last);
  const [first = ''] = lines;
  const [, single] = /^\W*([A-J])\W*$/.exec(first) ?? [];
  if (single) return single;
  return entries.length === 1 && labelled.test(first) && !denying.test(first) ? (entries[0] ?? null) : null;
}

const labelled = /^[-*•\s]{0,20}(?:[Oo]ption\s+)?[*_(]{0,4}([A-J])[*_]{0,4}[).:]/;
const denying = new RegExp(words.denying, 'i');
const concluding = new RegExp(words.affirming, 'iu');

/** `A` before a word is no option, and `I` is one in brackets only. */
function lettersIn(sentence: string): readonly string[] {
  const found = sentence.matchAll(
    /(?<![\p{sc=Latin}\p{N}'’$\\])(?:[*_(「"]{1,4}([A-J])[*_)」"]{1,4}|(B|C|D|E|F|G|H|J)|(A)(?!\s+(?!is\b|because\b|since\b|although\b|but\b)\p{Ll}))(?![\p{sc=Latin}\p{N}'’]|\s*[=+^<>])/gu,
  );
  return [...new Set([...found].map(([, set, bare, first]) => set ?? bare ?? first ?? ''))];
}

function onlyLetterIn(sentence: string): string | null {
  const [claim = ''] = sentence.split(new RegExp(words.concessive, 'i'));
  const [letter, second] = lettersIn(claim);
  return letter !== undefined && second === undefined && !denying.test(claim) ? letter : null;
}
