/**
 * What a model wrote as arguments, read as kindly as it can be without a guess. What cannot be read is a `Misuse`, whose
 * words go back to the model. Pure.
 */
import { z } from 'zod';
import { type JsonObject, jsonIn } from '../../core/json.ts';
import type { PastToolCall } from '../../core/problem.ts';

/** An error that is the model's to mend; its message says how. */
export class Misuse extends Error {
  readonly mistake: string;
  constructor(mistake: string, message: string) {
    super(message);
    this.mistake = mistake;
  }
}

/** A program, and the name by which a later call may ask for it. */
export type SentProgram = { readonly name: string; readonly source: string };

export function programOf(args: JsonObject, past: readonly PastToolCall[]): SentProgram {
  const sent = programsIn(past);
  const known = sent.length === 0 ? '' : ` So far there are: ${sent.map(({ name }) => name).join(', ')}.`;
  const written = codeIn(args);
  if (written === null || isProse(written)) {
    const kinds = 'as one string in `code`, or the name of one that you sent before';
    throw new Misuse('no-program', `Give a whole program ${kinds}.${known}`);
  }
  const wanted = programNameIn(written);
  const source = withoutFence(written);
  const before = sent.find((each) => (wanted === null ? each.source === source : each.name === wanted));
  if (before) return before;
  if (wanted === null) return { name: `p${sent.length + 1}`, source };
  throw new Misuse('unknown-program', `There is no program ${wanted}.${known} Send its code.`);
}

/** In the order in which they were sent. */
function programsIn(past: readonly PastToolCall[]): readonly SentProgram[] {
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
  const [given] = [code, program, source].filter((each) => !isBlank(each));
  const text = Array.isArray(given) ? given.join('\n') : given;
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

/** A sentence about a program, or an excuse: words in one line, without a sign that programs need. */
function isProse(code: string): boolean {
  return /^[^\n=(){}[\];#<>]*$/.test(code.trim()) && /(?:\p{L}+[',]?\s+){5}/u.test(code);
}

/** Null for a program itself. */
export function programNameIn(code: string): string | null {
  const name = /^\W*(?:program\s+)?p(\d+)\W*$/i.exec(code)?.[1];
  return name === undefined ? null : `p${Number(name)}`;
}

/** The code in the one block of a text, with a sentence before and behind it at the most; else the text. */
export function withoutFence(code: string): string {
  const block = /^(?:[^\n`]*\n){0,2}\s*(`{3,}|~{3,})[^\n`]*\n(.*?)\n?[ \t]*\1[ \t]*(?:\n[^\n`=(]*){0,2}\s*$/s;
  return block.exec(code)?.[2] ?? code;
}

const mostInputs = 10;
const texts = z.array(z.string()).min(1);

/** Null stands for the puzzle input. */
export function inputsOf({ input, inputs }: JsonObject): readonly (string | null)[] {
  // Some write a list within a text.
  const listed = typeof inputs === 'string' ? (texts.safeParse(jsonIn(inputs)).data ?? inputs) : inputs;
  const given = [listed, input].flatMap((each) => (each === undefined || each === null ? [] : each));
  if (given.length > mostInputs) {
    throw new Misuse('inputs', `A call takes at most ${mostInputs} inputs, and these are ${given.length}.`);
  }
  return given.length === 0 ? [null] : given.map(inputIn);
}

function inputIn(input: JsonObject[string]): string | null {
  if (typeof input === 'string') return /^\W*puzzle(?:[\s_-]?input)?\W*$/i.test(input) ? null : input;
  if (input === null) return null;
  if (typeof input === 'number') return String(input);
  throw new Misuse('inputs', '`inputs` is a list of texts; the text "puzzle" stands for your puzzle input.');
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
  throw new Misuse('no-answer', `Give \`answer\` as one string: a number or a word.${isLong}`);
}

function bare(given: string): string {
  const answer = given
    .replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/^−/, '-');
  const [, boxed] = /^\$*\\boxed\{([^{}]*)\}\$*$/.exec(answer) ?? [];
  const inner = boxed ?? /^([`'"*$]+)(.*)\1$/s.exec(answer)?.[2]?.trim();
  return inner === undefined ? answer.replace(/^([-+]?\d+)\.$/, '$1') : bare(inner);
}

/**
 * Whether it can be an answer to a puzzle: a number, a word, several of them joined by commas, digits with signs between.
 * No puzzle has had one with spaces in it, so a sentence is known by them; so are words for having none.
 */
export function isOneValue(answer: string): boolean {
  return /^(?=.*[a-z\d])[-+=.\w]+(?:,[-+=.\w]+)*$/i.test(answer) && !noAnswer.test(answer);
}

const noAnswer =
  /^(?:n\.?a\.?|nan|nil|none|null|undefined|unknown|unclear|unsure|not[-_]?sure|idk|i[-_]?dont[-_]?know|todo|tbd|skip|pass|maybe|unsolved|no[-_]?answer|not[-_]?found|cannot[-_]\w+|placeholder|answer(?:[-_=]\w+)?|(?:part|result)\d?=\w+|traceback|\w*error|timeout|stdout|infinity|\d+or\d+)$/i;

/** Undefined where none is given. */
export function wholeNumberOf(args: JsonObject, name: string): number | undefined {
  const given = args[name];
  if (isBlank(given)) return undefined;
  const number = typeof given === 'string' ? Number(given) : given;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new Misuse('no-number', `\`${name}\` is a whole number from 0 on.`);
}

function isBlank(value: JsonObject[string] | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
