/**
 * What a model wrote as arguments, read as kindly as it can be without a guess. What cannot be read is a `Misuse`, whose
 * words go back to the model. Pure.
 */
import { z } from 'zod';
import { type JsonObject, jsonIn } from '../../core/json.ts';
import type { PreviousToolCall } from '../../core/problem.ts';
import { isEscaped } from '../../text/code-blocks.ts';
import { withoutEntities } from '../../text/model-json.ts';

/** An error that is the model's to mend; its message says how. */
export class ToolMisuseError extends Error {
  readonly mistake: string;
  constructor(mistake: string, message: string) {
    super(message);
    this.mistake = mistake;
  }
}

/** A program, and the name by which a later call may ask for it. */
export type SentProgram = { readonly name: string; readonly source: string };

export function programOf(args: JsonObject, previous: readonly PreviousToolCall[]): SentProgram {
  const requests = programsIn(previous);
  const known =
    requests.length === 0 ? '' : ` So far there are: ${requests.map(({ name }) => name).join(', ')}.`;
  const text = codeIn(args);
  const requested = text === null ? null : programNameIn(text);
  if (text === null || (requested === null && isNoProgram(text))) {
    const kinds = 'as one string in `code`, or the name of one that you sent before';
    throw new ToolMisuseError('no-program', `Give a whole program ${kinds}.${known}`);
  }
  const source = withoutFence(text);
  const before = requests.find((each) =>
    requested === null ? each.source === source : each.name === requested,
  );
  if (before) return before;
  if (requested === null) return { name: `p${requests.length + 1}`, source };
  throw new ToolMisuseError('unknown-program', `There is no program ${requested}.${known} Send its code.`);
}

/** In the order in which they were sent. */
function programsIn(past: readonly PreviousToolCall[]): readonly SentProgram[] {
  const programs = new Map<string, string>();
  for (const { args, result } of past) {
    const name = result.data?.program;
    const source = codeIn(args);
    if (typeof name !== 'string' || source === null || programs.has(name)) continue;
    programs.set(name, withoutFence(source));
  }
  return [...programs].map(([name, source]) => ({ name, source }));
}

/** Some call it otherwise, or send a list of lines. */
function codeIn({ code, program, source }: JsonObject): string | null {
  const [input] = [code, program, source].filter((each) => !isBlankValue(each));
  const text = Array.isArray(input)
    ? input.join('\n')
    : typeof input === 'string'
      ? decodeEscapes(input)
      : input;
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

/** One line in which `\\n` stands outside of any string was escaped twice. */
function decodeEscapes(code: string): string {
  const signs: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '' };
  return code.includes('\n') || !/^[^"'`]*\\n/.test(code)
    ? code
    : code.replaceAll(/\\([ntr"\\])/g, (_, sign: string) => signs[sign] ?? sign);
}

/**
 * Nothing that prints is written without one of these signs, in any language that is run, nor in remarks or in words
 * alone; a line that speaks of a program that was sent, and calls nothing, is a wish.
 */
function isNoProgram(code: string): boolean {
  if (!/[=({[;<]/.test(code)) return true;
  if (code.length > longestWish) return false;
  const bare = withoutFence(code)
    .replaceAll(/^[ \t]*(?:#(?!include|!).*|\/\/.*)$/gm, '')
    .trim();
  const [first = ''] = bare.split('\n');
  const isWish =
    /\b(?:p|progra\w+ )\d+\b/i.test(first) &&
    !/\w\(|[;{}]\s*$|^\w+\s*=(?!=)/.test(first) &&
    !/^(?:for|while|if|with|from|import|let|const|var|auto|int|long)\b/.test(first) &&
    /\w[,:]? \p{L}/u.test(first);
  const isRemark = bare === '' || /^[([<{][\p{L}\s]*[)\]>}]\W*$/u.test(bare);
  return isWish || isRemark;
}

const longestWish = 400;

/** `p2`, `p2.py`, `2`, `Use p2 again`: one line that names one program as it is. Null for a program, and for a change of one. */
export function programNameIn(code: string): string | null {
  const only = /^\W*(?:program\W*)?p?(\d+)(?:\.\w{1,4})?\W*$/i.exec(code)?.[1];
  if (only !== undefined) return `p${Number(only)}`;
  const isMore = /[=;{}[\]\n]|\w\(|\b(?:with|but|only|except|instead|chang\w+|mit|aber)\b/i.test(code.trim());
  const numbers = new Set(
    isMore ? [] : [...code.matchAll(/\b(?:p|progra\w+ |)(\d+)\b/gi)].map(([name]) => name),
  );
  const [name = ''] = numbers;
  return numbers.size === 1 && !/^\d/.test(name) ? `p${Number(/\d+/.exec(name)?.[0])}` : null;
}

/** The code in the one block of a text, with a sentence before and behind it at the most; else the text. */
export function withoutFence(code: string): string {
  const block =
    /^(?:[^\n`]*\n){0,2}\s*(`{3,}(?!`)|~{3,}(?!~))[^\n`]*\n(.*?)\n?[ \t]*\1[ \t]*(?:\n[^\n`=(]*){0,2}\s*$/s;
  const bare = block.exec(code)?.[2] ?? code;
  return isEscaped(bare) ? withoutEntities(bare) : bare;
}

const mostInputs = 10;
const listed = z.array(z.union([z.string(), z.number()])).min(1);

/** Null means the puzzle input. */
export function inputsOf({ input, inputs }: JsonObject): readonly (string | null)[] {
  const multiple = typeof inputs === 'string' ? (listIn(inputs) ?? inputs) : inputs;
  // Beside others an empty one is a place that was left empty.
  const single = input === '' && !isBlankValue(multiple) ? null : input;
  const given = [multiple, single].flatMap((each) => (each === undefined || each === null ? [] : each));
  if (given.length > mostInputs) {
    throw new ToolMisuseError(
      'inputs',
      `A call takes at most ${mostInputs} inputs, and these are ${given.length}.`,
    );
  }
  return given.length === 0 ? [null] : given.map(inputIn);
}

/** Some write a list within a text, as JSON or as Python does. */
function listIn(text: string): (string | number)[] | null {
  const isOfPython = /^\s*\[\s*(?:'(?:[^'\\\n]|\\[n'\\])*'\s*,?\s*)+\]\s*$/.test(text);
  const ofJson = text.replaceAll(/\\'|["']/g, (sign) => ({ "\\'": "'", '"': '\\"' })[sign] ?? '"');
  return listed.safeParse(jsonIn(isOfPython ? ofJson.replace(/,\s*\]\s*$/, ']') : text)).data ?? null;
}

const ofPuzzle =
  /^(?=.*(?:puzzle|input))\W*(?:(?:the|my|your|a|whole|full|entire|complete|real|actual|own|puzzle|input|data|text|file|txt)(?:[\W_]+|$))+$/i;
const ofExample =
  /^\W*(?:(?:the|same|first|second|part|of|from|statement|puzzle|file|inputs?|txt|test|\d+)[\W_]+)*(?:examples?|samples?|tests?)\W*(?:(?:puzzle|inputs?|file|data|txt|part|above|of|from|the|statement|\d+)[\W_]*)*$/i;
/** A line of words that speaks of an input, in place of one. */
const ofSpeech =
  /^(?=[^\d\n]{3,100}$)[\p{L}\s()[\]<>.,:'"_-]*(?:(?<!\p{L})(?:the|same|my|your|our|this|that|from|before|above|previous|der|die|das|la|le|el)\s+\p{L}|\s(?:before|above|again)(?!\p{L})|puzzle|eingabe|entrada|entrée|(?:get|download)input)/iu;
const ofFile = /^[\w./-]{1,60}\.(?:txt|in|dat|csv|input)$/i;

function inputIn(input: JsonObject[string]): string | null {
  if (typeof input === 'string' && ofPuzzle.test(input)) return null;
  const isName =
    typeof input === 'string' && [ofExample, ofSpeech, ofFile].some((words) => words.test(input.trim()));
  if (typeof input === 'string' && !isName) return input;
  if (input === null) return null;
  if (typeof input === 'number') return String(input);
  const known = '"puzzle", which stands for your puzzle input, is the only name: write other inputs out.';
  throw new ToolMisuseError('inputs', `\`inputs\` is a list of texts; ${known}`);
}

/** A longer text is no answer, with or without marks around it. */
const mostWrapped = 1_000;

/** An answer as it would be typed into the site's field: without marks of Markdown or quotes around it. */
export function answerOf({ answer }: JsonObject): string {
  const [only] = Array.isArray(answer) && answer.length === 1 ? answer : [answer];
  if (typeof only === 'string') return only.length > mostWrapped ? only.trim() : bare(only.trim());
  if (typeof only === 'number' && (Number.isSafeInteger(only) || !Number.isInteger(only)))
    return String(only);
  const isLong = typeof only === 'number' ? ' So long a number loses digits unless it is a string.' : '';
  throw new ToolMisuseError('no-answer', `Give \`answer\` as one string: a number or a word.${isLong}`);
}

function bare(input: string): string {
  const answer = input
    .replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/^−/, '-');
  const [, boxed] = /^\$*\\boxed\{([^{}]*)\}\$*$/.exec(answer) ?? [];
  const inner =
    boxed ??
    /^([`'"*$]+)(.*)\1$/s.exec(answer)?.[2]?.trim() ??
    /^[[(]([^[\]()]*)[\])]$/.exec(answer)?.[1]?.trim();
  if (inner !== undefined) return bare(inner);
  // Answers have no spaces: what stands between numbers is how they were written.
  return answer
    .replace(/^[-+]?\d+(?:\s*,\s*[-+]?\d+){2,}$/, (list) => list.replaceAll(/\s/g, ''))
    .split(',')
    .map(withoutZeroFraction)
    .join(',');
}

/** A float that a program printed: the site expects `944` for `944.0`. One that has lost digits is not guessed at. */
function withoutZeroFraction(part: string): string {
  const [, integer] = /^\s*([-+]?\d+)\.0*\s*$/.exec(part) ?? [];
  const isExponent = /^\s*[-+]?\d+(?:\.\d+)?e\+\d+\s*$/i.test(part);
  if (isExponent || (integer !== undefined && !Number.isSafeInteger(Number(integer)))) {
    throw new ToolMisuseError(
      'no-answer',
      `${part.trim()} is a float that may have lost digits. Calculate with integers, and give all digits.`,
    );
  }
  return integer ?? part;
}

/**
 * Whether it can be an answer to a puzzle: a number, a word, several of them joined by commas, digits with signs between.
 * No puzzle has had one with spaces in it, nor words joined by signs, so a sentence is known by them; words for having no
 * answer are known by being English. A number with letters behind it that are no hexadecimal digits has a unit: nothing is
 * taken off, the model is to write the number. An equals sign is a digit of the one puzzle that counts with it.
 */
export function isOneValue(answer: string): boolean {
  const isPart = (part: string) =>
    /^[-+]?[.\da-z]+(?:\+[\da-z]+)*$/i.test(part) || /^(?:[-+.\d]+|[A-Z\d]+(?:-[A-Z\d]+)+)$/.test(part);
  const isOfForm = /[a-z\d]/i.test(answer) && answer.split(',').every(isPart);
  return (isOfForm && !noAnswer.test(answer)) || /^[12][-=012]*$/.test(answer);
}

const noAnswer =
  /^(?:n\.?a\.?|nan|nil|none|null|no|yes|true|false|und?efined|un[a-z]*(?:ed|able|known|clear|sure)|in(?:valid|conclusive|complete|correct)|impossible|idk|todo|tbd|skip|pass|maybe|placeholder|guess(?:ed|ing|es)?|help|sorry|wrong|error|stuck|empty|answer|result|output|example|solution|missing|fail(?:ed|ure)?|abort(?:ed)?|pending|question|retry|wait|too(?:low|high)|no[a-z]*found|no(?:answer|solution|idea|clue|thing|ne)|notsure|idontknow|traceback|\w*error|timeout|stdout|[-+]?inf(?:inity)?|\d+or\d+|[-+]?[\d.]+[a-z]*[g-z][a-z]*)$/i;

/** Undefined where none is given. */
export function integerArgument(args: JsonObject, name: string): number | undefined {
  const input = args[name];
  if (isBlankValue(input)) return undefined;
  const number = typeof input === 'string' ? Number(input) : input;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new ToolMisuseError('no-number', `\`${name}\` is a whole number from 0 on.`);
}

function isBlankValue(value: JsonObject[string] | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
