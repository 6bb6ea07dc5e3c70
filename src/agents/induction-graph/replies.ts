/**
 * What models reply, as JSON of a schema or as labelled lines, whichever was asked for: the other form is read all the
 * same. A reply that cannot be read says why, in words for the model. Pure.
 */
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { type ModelSuccess, textOf } from '../../core/model.ts';
import type { Grid } from '../../core/problem.ts';
import { type GridFormat, isGrid, validateGrid } from '../../grids/grid.ts';
import { parseGrids } from '../../grids/parse.ts';
import { codeBlocks } from '../../text/code-blocks.ts';
import { jsonInReply } from '../../text/model-json.ts';
import type { OutputForm, ReplyReading } from '../kit/asking.ts';
import type { NextInstruction, Outputs } from './state.ts';
import texts from './texts.json' with { type: 'json' };

const confidences = ['low', 'medium', 'high'] as const;

const { forms } = texts;
type Forms = Readonly<Record<GridFormat, OutputForm>>;
const formOf = (name: string, schema: JsonObject, repair?: false): OutputForm => ({ name, schema, repair });

export const instructionForm = formOf('instruction', forms.instruction);
export const programForm = formOf('program', forms.program);
/** Where a program may stay as it is. */
export const keepForm = formOf('program', forms.keep);
export const generatorForms = byFormat(formOf('outputs', forms.outputs.words), forms.outputs.json);
/** The forms of the last call, which is not repeated. */
export const anotherForms = byFormat(formOf('another', forms.another.words, false), forms.another.json);

function byFormat(words: OutputForm, schema: JsonObject): Forms {
  return { spaced: words, csv: words, json: { ...words, schema } };
}

/** Only the instruction itself must be there: what merely accompanies it has defaults. */
const lenientInstruction = z.object({
  instruction: z.string().catch(''),
  revises: z.coerce.number().int().nullable().catch(null),
  mind: z.string().exactOptional().catch(''),
  done: z.preprocess((said) => said === true || /^(?:true|yes)$/i.test(String(said)), z.boolean()),
  rationale: z.string().catch(''),
  confidence: z.preprocess((said) => String(said).toLowerCase(), z.enum(confidences).catch('medium')),
});

export function readInstruction(reply: ModelSuccess): ReplyReading<NextInstruction> {
  const object = objectIn(reply);
  const { instruction, mind, ...rest } = lenientInstruction.parse(
    object ?? parseLabeled(textOf(reply.message)),
  );
  const text = instruction.trim();
  // An instruction goes before the wish that the others are carried out once more.
  if (text === '' && mind?.trim()) return { ok: true, value: { ...rest, text, mind: mind.trim() } };
  if (text !== '' || rest.done) return { ok: true, value: { ...rest, text } };
  return { ok: false, problem: `It holds no instruction.` };
}

export type Program = { readonly source: string; readonly rationale: string };

export function readProgram(reply: ModelSuccess): ReplyReading<Program> {
  const object = objectIn(reply);
  const text = textOf(reply.message);
  const whole = typeof object?.program === 'string' ? object.program : text;
  const blocks = codeBlocks(whole.replaceAll('\r\n', '\n')).map(({ code }) => `${code}\n`);
  const source = blocks.findLast((code) => definition.test(code)) ?? (object ? whole : '');
  const rationale = typeof object?.rationale === 'string' ? object.rationale : textBeforeFence(text);
  if (definition.test(source)) return { ok: true, value: { source, rationale } };
  return { ok: false, problem: `It holds no program that defines transform(grid).` };
}

const definition = /\bdef\s+transform\s*\(/;

/** Of a reply to the question whether a program stays: the new one, else that which stays. */
export function readDecision(settled: Program): (reply: ModelSuccess) => ReplyReading<Program> {
  return (reply) => {
    const said = readProgram(reply);
    const stays = objectIn(reply)?.keep === true || /^\W*(?:keep|unchanged)\b/im.test(textOf(reply.message));
    return !said.ok && stays ? { ok: true, value: settled } : said;
  };
}

/** In either form; what cannot be read is no other rule. `program`: null where the rule is in words. */
export function readAlternative(reply: ModelSuccess, queries: number) {
  const { follows, rule, rationale } = objectIn(reply) ?? parseLabeled(textOf(reply.message));
  const words = typeof rule === 'string' && !isNothing.test(rule) ? rule : '';
  const program = readProgram({ ...reply, object: objectIn(reply) && { program: words } });
  const { test } = readOutputs(reply, { train: 0, test: queries }).outputs;
  return {
    rationale: typeof rationale === 'string' ? rationale : '',
    follows: !/^\W*(?:no|false)\b/i.test(String(follows)),
    rule: program.ok ? program.value.source : words,
    program: program.ok ? program.value.source : null,
    test,
  };
}

function objectIn(reply: ModelSuccess): JsonObject | null {
  if (isJsonObject(reply.object)) return reply.object;
  const found = jsonInReply(textOf(reply.message));
  return isJsonObject(found) && Object.keys(found).some((name) => fields.has(name)) ? found : null;
}

/** An object without any of them is an example, or a piece of a program. */
const fields = new Set([
  'instruction',
  'done',
  'mind',
  'program',
  'keep',
  'rule',
  'follows',
  'status',
  'train_outputs',
  'test_outputs',
  'test',
]);

const label =
  /^[\s>#*_-]*(instruction|revises|mind|done|follows|rule|rationale|confidence)[\s*_]*:[\s*_]*([^\n]*)$/i;

const isNothing = /^\W*(?:(?:none|nothing|n\/a)\W*)?$/i;

/** `Done: yes` and the like, each up to the next label. */
function parseLabeled(text: string): Record<string, unknown> {
  const found = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, name, rest = ''] = label.exec(line) ?? [];
    if (name) {
      lines = [];
      found.set(name.toLowerCase(), lines);
    }
    lines.push(name ? rest : line);
  }
  const value = (name: string) => found.get(name)?.join('\n').trim() ?? '';
  const number = /\d+/.exec(value('revises'))?.[0];
  return {
    instruction: isNothing.test(value('instruction')) ? '' : value('instruction'),
    revises: number === undefined ? null : Number(number),
    mind: isNothing.test(value('mind')) ? '' : value('mind'),
    follows: value('follows'),
    rule: value('rule'),
    done: /^\W*(yes|true)\b/i.test(value('done')),
    rationale: value('rationale'),
    confidence: /\b(low|medium|high)\b/.exec(value('confidence').toLowerCase())?.[1],
  };
}

function textBeforeFence(text: string): string {
  const at = text.indexOf('```');
  return (at < 0 ? '' : text.slice(0, at)).trim();
}

export type GeneratorReply = {
  readonly status: string;
  readonly outputs: Outputs;
  /** Grids that cannot be read, each with its sample: worth asking again. */
  readonly problems: readonly string[];
  /** Outputs of samples that do not exist: left out. */
  readonly extra: number;
  /** It names at least one sample, if only to say that its output stays. */
  readonly isReadable: boolean;
};

/**
 * What the generator replies: a status, and a grid for each sample that it changes. Each grid belongs to the sample
 * that it names, else to that of its place, so that a missing one does not move the others. What is no grid is told
 * with its sample and is never taken for one.
 */
export function readOutputs(reply: ModelSuccess, counts: { train: number; test: number }): GeneratorReply {
  const object = objectIn(reply);
  const said = object
    ? { status: object.status, train: itemsOf(object.train_outputs), test: itemsOf(object.test_outputs) }
    : fromText(textOf(reply.message));
  const train = place(said.train, counts.train, 'train');
  const test = place(said.test, counts.test, 'test');
  const problems = [...train.problems, ...test.problems];
  const extra = train.extra + test.extra;
  return {
    status: typeof said.status === 'string' ? said.status : '',
    outputs: { train: train.grids, test: test.grids },
    problems: problems.map((problem) => `${problem}.`),
    extra,
    isReadable: said.train.length + said.test.length > problems.length + extra,
  };
}

/** A value for the sample of this number: null where it stays as it is. */
type Said = { readonly sample: number; readonly value: Json | undefined };

function itemsOf(value: Json | undefined): Said[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: Json, at): Said => {
    if (!isJsonObject(item)) return { sample: at + 1, value: item };
    const { sample, grid } = item;
    // A number that was written as a text is one; what is none belongs to no sample, and not to that of its place.
    return { sample: sample === undefined || sample === null ? at + 1 : numberOf(sample), value: grid };
  });
}

function numberOf(value: Json): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
}

const heading =
  /^[\s>#*_-]*(train|test)(?:ing)?[\s_]*(?:(?:sample|output|input|pair|grid)[\s_]*)?#?(\d+)(?:[\s_]*output)?[\s*_]*(?:[:=][\s*_]*([^\n]*))?$/i;
const statusLine = /^[\s>#*_-]*status[\s*_]*:[\s*_]*([^\n]*)$/i;

/** `Train 2:` and below it a grid, up to the next of such lines. */
function fromText(text: string) {
  const blocks: { kind: string; sample: number; lines: string[] }[] = [];
  let status = '';
  for (const line of text.split('\n')) {
    const [, kind, number, rest] = heading.exec(line) ?? [];
    const text = statusLine.exec(line)?.[1];
    if (kind) blocks.push({ kind: kind.toLowerCase(), sample: Number(number), lines: [rest ?? ''] });
    else if (text !== undefined && blocks.length === 0) status = text.trim();
    else blocks.at(-1)?.lines.push(line);
  }
  const of = (requested: string): Said[] => {
    const own = blocks.filter(({ kind }) => kind === requested);
    return own.map(({ sample, lines }) => ({ sample, value: lines.join('\n').trim() }));
  };
  return { status, train: of('train'), test: of('test') };
}

/** If a sample has two outputs, the later one counts. */
function place(messages: readonly Said[], count: number, noun: string) {
  const grids: (Grid | null)[] = Array.from({ length: count }, () => null);
  // Where numbers begin at 0, each of them means another sample.
  if (messages.some(({ sample }) => sample === 0))
    return { grids, problems: [`${noun} samples are numbered from 1, not from 0`], extra: messages.length };
  const own = messages.filter(({ sample }) => Number.isInteger(sample) && sample >= 1 && sample <= count);
  const last = new Map(own.map(({ sample, value }) => [sample, readGrid(value)]));
  const problems: string[] = [];
  for (const [sample, read] of last) {
    if (typeof read === 'string') problems.push(`${noun} ${sample}: ${read}`);
    else grids[sample - 1] = read;
  }
  return { grids, problems, extra: messages.length - own.length };
}

/** A grid, null for none, or what is wrong with it. */
function readGrid(value: Json | undefined): Grid | null | string {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return isGrid(value) ? value : validateGrid(value);
  if (/^\W*(?:(?:unchanged|no change|same|null|none)\W*)?$/i.test(value)) return null;
  const parsed = parseGrids(value, 1);
  return parsed.ok ? (parsed.grids[0] ?? null) : parsed.fault.replace(/\.$/, '');
}
