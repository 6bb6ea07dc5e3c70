/**
 * An answer's readings: what its text says, first as it is most likely meant, then as it may be meant as well where a
 * comma or a colon can be read in two ways. What is in no known form is read as a text.
 */
import { BoundReached, limits, newWork, type Work } from '../limits.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { realField } from '../numeric/real.ts';
import { clean } from '../text/clean.ts';
import { fromPython, withPythonConstants, withPythonLogarithm } from '../text/python.ts';
import { exact, hasNames, isExpression, product, quotient, sum, type Tree, type Unit } from '../tree.ts';
import { dateIn, timeIn } from './clock.ts';
import { parse } from './parser.ts';
import { digitsTo } from './primary.ts';
import { settle } from './settle.ts';
import { groupAt, type TokenStyle } from './tokens.ts';
import { spaceUnit, splitUnit, unitNamed } from './units.ts';
import { asText, choiceIn, flattened, isMathematics, textIn } from './words.ts';

export type Readings = {
  readonly first: Tree;
  readonly others: readonly Tree[];
  /** What it says as well, whatever it is compared with: its rounding, the words beside a letter. */
  readonly also: readonly Tree[];
  /** The cleaned text, by which an answer equals itself. */
  readonly text: string;
};

/** `isMath`: null to find out from the text. */
export function parseReadings(raw: string, isMath: boolean | null, work: Work): Readings {
  if (raw.length > limits.answer) return { first: asText(raw), others: [], also: [], text: raw };
  const plain = fromPython(raw);
  const text = stripBox(clean(plain).text);
  const style: TokenStyle = {
    isMath: isMath ?? /\\|\$/.test(raw.replaceAll(/\\[$%]/g, '')),
    comma: /^[-+]?\d{1,2}(?:,[-+]?\d{1,2}){2,}$/.test(text) ? 'separator' : 'auto',
  };
  const [exactPart = '', rounded] = approximation(text);
  const first = read(exactPart, style, work);
  const trees: Tree[] = [];
  for (const other of [spaceUnit(raw), withPythonConstants(plain), withPythonLogarithm(plain)])
    if (other !== null) trees.push(read(stripBox(clean(other).text), style, work));
  const more = rounded === undefined ? null : read(rounded, style, work);
  if (more && isRoundingOf(more, first, work)) trees.push(more);
  const [, worth] = /^\\(?:(?:int|lim)(?![a-z])|frac\{d\}\{d[a-z]\})[^=]+=([^=]+)$/.exec(text) ?? [];
  if (worth) trees.push(read(worth, style, work));
  const said = statedForm(text, first);
  if (said) trees.push(read(said, style, work));
  const isRead = ({ kind }: Tree) => kind !== 'text';
  return {
    first,
    others: parseAlternatives(text, first, style.isMath, work).filter(isRead),
    also: trees.filter(isRead),
    text,
  };
}

/** `2\sqrt3 \approx 3.464`: an exact value, and its rounding. A name has no other value than the rounding. */
function approximation(text: string): readonly string[] {
  const [before = '', after, ...more] = text.split(/\\(?:approx|simeq|doteq)(?![a-z])/);
  const value = (before.split('=').at(-1) ?? '').replaceAll(calculated, '');
  const isSingle = more.length > 0 || after === undefined || /[a-zA-Z]/.test(value);
  return isSingle || before.trim() === '' ? [text] : [before, after];
}

const calculated =
  /\\(?:pi|sqrt|[dt]?frac|ln|log|exp|sin|cos|tan|arc(?:sin|cos|tan)|times|cdot|d?binom|circ)(?![a-z])|\\(?:text|mathrm)\s*\{[^{}]*\}|(?<![a-z])e(?![a-z])/g;

function isRoundingOf(rounded: Tree, of: Tree, work: Work): boolean {
  const inner = of.kind === 'relation' ? of.sides.at(-1) : of;
  const [a, b] = [rounded, inner].map((tree) => (tree?.kind === 'quantity' ? tree.value : tree));
  if (a?.kind !== 'number' || !b || !isExpression(b) || hasNames(b)) return false;
  const [x, y] = [a, b].map((tree) => evaluate(tree, realField(0, 0), work)?.value);
  return x !== undefined && y !== undefined && Math.abs(x - y) <= 0.5001 * 10 ** -(a.decimals ?? 0);
}

function stripBox(text: string): string {
  const [start] = /^\\(?:boxed|fbox)/.exec(text) ?? [];
  const group = start ? groupAt(text, start.length) : null;
  if (!start || !group || start.length + group.length !== text.length) return text;
  return stripBox(group.content.trim());
}

function parseAlternatives(text: string, first: Tree, isMath: boolean, work: Work): Tree[] {
  const siblings: Tree[] = [];
  // `1,000` is no list of one and nothing.
  if (/\d,\d/.test(text) && !/\d,0\d/.test(text))
    siblings.push(read(text, { isMath, comma: 'separator' }, work));
  // A comma before three digits sets thousands apart; outside of brackets it may be a decimal comma.
  if (/^[^,([]*\d,\d+(?!,)[^,]*$/.test(text) && !/(?:^|\D)[1-9]\d{0,2},\d{3}(?!\d)/.test(text)) {
    siblings.push(read(text, { isMath, comma: 'decimal' }, work));
  }
  // `1:10` may be a ratio; `12:00` is none.
  if (first.kind === 'time' && !/:0+\b/.test(text))
    siblings.push(parse(text, { isMath, comma: 'auto' }, work) ?? first);
  return siblings;
}

/** `(B) 12` says what the choice is; a sentence says it after its verb: `The area is 12`. */
function statedForm(text: string, first: Tree): string | null {
  if (first.kind === 'choice') return /^\(?[A-J]\s*[).:]+\s*(\S.*)$/s.exec(flattened(text).flat)?.[1] ?? null;
  if (!/^\p{L}{2,}\s+\p{L}/u.test(text) || text.length > 300) return null;
  return /^[^\d\\]*\s(?:is|are|equals|was|were)\s+([^a-zA-Z].*?)\.?$/s.exec(text)?.[1] ?? null;
}

/** `3 to 1` is a ratio; `1 in 4`, `3 of 5` are said in words, and no product of what they are spelled with. */
const spokenRatio = /^\d+(?:\s+to\s+\d+)+$/i;
const spokenBetween =
  /\d\s+(?:to|in|of|out of|by|from|than|for|per)\s+\d|(?:^|\s)[a-z]\s+(?:to|than|from)\s+[a-z](?:\s|$)/i;

/** `2 \times 3 \text{ matrix}` is no product. */
const dimensionsOfMatrix = /\d\s*\\times\s*\d.*\\text\{\s*(?:matrix|matrices|grid|board|array|table)\s*\}/;

function read(input: string, style: TokenStyle, work: Work): Tree {
  const text = withOpenBrackets(
    spokenRatio.test(input) ? input.replaceAll(/\s+to\s+/gi, ':') : input,
  ).replace(/\\(?:text\w*|mathrm|mbox)\s*\{\s*(?:percent|pct)\.?\s*\}$/, '\\%');
  const { flat, isText } = flattened(text);
  if (spokenBetween.test(flat) || dimensionsOfMatrix.test(text)) return asText(flat);
  return (
    timeIn(flat) ??
    dateIn(flat) ??
    choiceIn(flat, isText) ??
    textIn(flat, isText) ??
    digitsToBase(flat) ??
    unitsInSteps(flat) ??
    readMathematics(text, style, work) ??
    asText(flat)
  );
}

/** `]0, 1]`: brackets that are turned away leave the end out. */
function withOpenBrackets(text: string): string {
  const turned = new Map<number, string>();
  // Whether a comma came since each bracket that is open.
  const open: boolean[] = [];
  for (const { 0: mark, index } of text.matchAll(/\\sqrt\s*\[[^\]]*\]|[()[\],;]/g)) {
    const isEnd = /^\s*(?:$|[,;)]|\\(?:cup|cap|text)|U\b)/.test(text.slice(index + 1, index + 24));
    if (/^[,;]$/.test(mark)) open.splice(-1, 1, true);
    else if (mark === ']' && open.length === 0) turned.set(index, '(');
    else if (mark === '[' && open.at(-1) && isEnd) turned.set(index, ')');
    if (mark === '(' || (mark === '[' && !turned.has(index)) || turned.get(index) === '(') open.push(false);
    else if (/^[)[\]]$/.test(mark)) open.pop();
  }
  if (turned.size === 0 || open.length > 0) return text;
  return text.replaceAll(/[[\]]/g, (mark, at: number) => turned.get(at) ?? mark);
}

/** First as it stands: what looks like a unit may be part of an expression that is understood whole. */
function readMathematics(text: string, style: TokenStyle, work: Work): Tree | null {
  const { text: rest, unit } = splitUnit(text, style.isMath);
  if (isWordForm(rest)) return null;
  const tree = parse(rest, style, work) ?? (rest === text ? null : parse(text, style, work));
  const settled = tree ? settle(tree) : null;
  return settled && unit ? withUnit(settled, unit) : settled;
}

/** `2 wins 3 losses`: words among numbers are no products of their letters, which could stand in any order. */
function isWordForm(text: string): boolean {
  if (/[=<>:,;\\^_+*/()[\]{}|]/.test(text)) return false;
  const runs = text.match(/(?<!\S)\p{L}{4,}(?!\S)/gu) ?? [];
  return /\d/.test(text) && runs.some((run) => /[aeiouy]/i.test(run) && !isMathematics(run));
}

/** A unit belongs to the value it stands beside: the last of a list, the right side of an equation. */
function withUnit(tree: Tree, unit: Unit): Tree {
  if (tree.kind === 'relation') return { ...tree, sides: lastChanged(tree.sides, unit) };
  if (tree.kind === 'list') return { ...tree, items: lastChanged(tree.items, unit) };
  if (tree.kind === 'percent' || tree.kind === 'quantity') return tree;
  return { kind: 'quantity', value: tree, unit };
}

function lastChanged(items: readonly Tree[], unit: Unit): readonly Tree[] {
  return items.map((item, at) => (at === items.length - 1 ? withUnit(item, unit) : item));
}

function digitsToBase(flat: string): Tree | null {
  const [, text, base] = /^\(?\s*([0-9A-Za-z]+)\s*(?:\)\s*)?_\s*(?:\{\s*)?(\d{1,2})\s*\}?$/.exec(flat) ?? [];
  if (!text || !base || !/\d/.test(text)) return null;
  if (text.length > limits.digits) throw new BoundReached('digits');
  return digitsTo(Number(base), text);
}

const twoUnits = /^(\d[\d.,]*)\s*([a-z]+\.?)[,\s]*(?:and\s+)?(\d[\d.,]*)\s*([a-z]+\.?)$/i;

function unitsInSteps(flat: string): Tree | null {
  const [, large, largeName, small, smallName] = twoUnits.exec(flat) ?? [];
  const [unit, part] = [unitNamed(largeName ?? ''), unitNamed(smallName ?? '')];
  if (!unit || !part || unit.dimension !== part.dimension || unit.name === part.name) return null;
  const [tree, rest] = [large, small].map((text) =>
    parse(text ?? '', { isMath: true, comma: 'auto' }, newWork()),
  );
  if (tree?.kind !== 'number' || rest?.kind !== 'number') return null;
  const converted = product([rest, quotient(exact(part.factor), exact(unit.factor))]);
  return { kind: 'quantity', value: sum([tree, converted]), unit };
}
