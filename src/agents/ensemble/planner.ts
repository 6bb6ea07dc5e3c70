/**
 * The first stage: a problem type, a plan and a recommendation, asked for as JSON, and read tolerantly where a model does
 * not keep to it. A recommendation that is none means reasoning; so does no plan at all, and neither ends a run.
 */
import { cutFeedback, describeCut } from '../../core/cut-off.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { PlanNote } from '../../notes/ensemble.ts';
import { jsonInReply, withoutThoughts } from '../../text/model-json.ts';
import { user } from '../kit/asking.ts';
import {
  Meter,
  NoAnswerError,
  questionTurn,
  type Reply,
  requestReply,
  systemTurn,
  type Task,
} from './asking.ts';
import texts from './texts.json' with { type: 'json' };

export type Plan = Omit<PlanNote, 'tokens'>;

export async function makePlan(task: Task, form: 'structured' | 'labelled'): Promise<PlanNote> {
  const meter = new Meter();
  const plan = await requestPlanOrNone({ ...task, meter }, form);
  return { ...plan, tokens: meter.tokens };
}

async function requestPlanOrNone(task: Task, form: 'structured' | 'labelled'): Promise<Plan> {
  const isStructured = form === 'structured';
  const asides = [task.run.prompt(isStructured ? 'planStructured' : 'planLabelled')];
  const messages = [systemTurn(task, 'planner'), questionTurn({ ...task, asides })];
  try {
    const first = await requestReply(task, 'planner', messages, isStructured ? output : undefined);
    const plan = planIn(first);
    const cut = cutFeedback(first);
    if (plan.reading !== 'none' || (!isStructured && cut === null)) return plan;
    const question = [cut ?? '', task.run.prompt('planLabelled')].filter(Boolean).join('\n\n');
    const labelled = [...messages, first.message, user(question)];
    return planIn(await requestReply(task, 'planner', labelled));
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return { ...noPlan, detail: error.message };
  }
}

/** Half a plan is none. */
function planIn(reply: Reply): Plan {
  const cut = describeCut(reply);
  return cut === null ? readPlan(reply.text, reply.object) : { ...noPlan, detail: cut };
}

const output = { name: 'plan', repair: false, schema: texts.plan } as const;

const noPlan: Plan = {
  problemType: '',
  plan: '',
  recommendation: 'reasoning',
  recommended: 'missing',
  reading: 'none',
  detail: 'The reply holds none of the fields.',
};

/** From the JSON value, else from JSON in the text, else from three labelled fields, in any form that models write. */
export function readPlan(text: string, object?: Json): Plan {
  const value = [object, jsonInReply(text)].find((each): each is JsonObject => isJsonObject(each ?? null));
  const fromJson = value ? fieldsOfObject(value) : {};
  const isJson = Object.keys(fromJson).length > 0;
  const fields = isJson ? fromJson : parseLabeledFields(stripTags(withoutThoughts(text)));
  if (Object.keys(fields).length === 0) return noPlan;
  return {
    problemType: typeNamed(fields.type ?? ''),
    plan: fields.plan ?? '',
    ...parseRecommendation(fields.recommendation ?? ''),
    reading: isJson ? 'structured' : 'labelled',
    detail: '',
  };
}

/** Tags are labels as well: `<plan>…</plan>`. */
function stripTags(text: string): string {
  return text
    .replaceAll(/<(problem_?type|plan|strategy(?:_?recommendation)?|recommendation)>/gi, '\n$1: ')
    .replaceAll(/<\/(?:problem_?type|plan|strategy(?:_?recommendation)?|recommendation)>/gi, '\n');
}

type Fields = { type?: string; plan?: string; recommendation?: string };
type FieldName = keyof Fields;

function fieldsOfObject(value: JsonObject): Fields {
  const fields: Fields = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = fieldNamed(key);
    const words = name && wordsIn(inner ?? null);
    if (name && words) fields[name] = words;
  }
  return fields;
}

function fieldNamed(label: string): FieldName | null {
  const bare = label.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (bare === 'problemtype' || bare === 'type') return 'type';
  if (bare === 'plan') return 'plan';
  const isAdvice = /^(strategy|strategyrecommendation|recommendation|recommendedstrategy)$/.test(bare);
  return isAdvice ? 'recommendation' : null;
}

/** Steps may come as a list. */
function wordsIn(value: Json): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(wordsIn).join('\n');
  return value === null ? '' : JSON.stringify(value);
}

/**
 * A label at the beginning of a line, however it is decorated: `**PROBLEM_TYPE:** Math`, `2. Plan`, `### Strategy
 * Recommendation`, `"PLAN" = …`. With no colon behind it, it is one only if its line ends there.
 */
const decoration = /(?:[\s>#*_`"'([{-]|\p{Extended_Pictographic}|\uFE0F|\u200D)*/uy;
const label =
  /(?:\d+[.)]\s*)?[*_`"']*(?<name>problem[\s_-]*type|plan|strategy[\s_-]*recommendation|recommended[\s_-]*strategy|strategy|recommendation)(?:[*_`"')\]}]|[ \t])*(?:[:=：]|[-–—]\s|(?=$))(?:[*_`"']+(?=\s|$))?/imuy;

function parseLabeledFields(text: string): Fields {
  const kept = withoutAliases([...labelsIn(text)]);
  const fields: Fields = {};
  for (const [at, { name, end }] of kept.entries()) {
    const words = bare(text.slice(end, kept[at + 1]?.start ?? text.length));
    // What is recommended stands last, and may be spoken of before; the other two stand first.
    if (words !== '' && (name === 'recommendation' || fields[name] === undefined)) fields[name] = words;
  }
  return fields;
}

function* labelsIn(text: string): Generator<{ name: FieldName; full: string; start: number; end: number }> {
  const lineEnd = /[\n\r\u2028\u2029]/g;
  for (let start = 0; ; start = lineEnd.lastIndex) {
    decoration.lastIndex = start;
    decoration.exec(text);
    // A label may have lines of mere decoration before it.
    label.lastIndex = decoration.lastIndex;
    const full = label.exec(text)?.groups?.name;
    const end = full === undefined ? decoration.lastIndex : label.lastIndex;
    const name = fieldNamed(full ?? '');
    if (full !== undefined && name) yield { name, full, start, end };
    lineEnd.lastIndex = end;
    if (!lineEnd.test(text)) return;
  }
}

/** If the full label exists, a mere "Strategy: …" is a line of the plan. */
function withoutAliases<Label extends { readonly name: FieldName; readonly full: string }>(
  labels: readonly Label[],
): readonly Label[] {
  const isWhole = ({ full }: Label) => /^strategy[\s_-]*recommendation$/i.test(full);
  if (!labels.some(isWhole)) return labels;
  return labels.filter((each) => each.name !== 'recommendation' || isWhole(each));
}

function bare(value: string): string {
  return value
    .trim()
    .replaceAll(/^[*_`"']+(?=\S)|(?<=[^\s*_`"',]|(?<=^|\s)[*_`"',])[*_`"',]+$/g, '')
    .trim();
}

const knownTypes = [
  ['Common Sense', /common[\s_-]*sense/i],
  ['Logic', /\blogic/i],
  ['Math', /\bmath|arithmetic|algebra|geometr|calculus|combinatori|probabilit|number theory/i],
] as const;

/** The first of the known types that is named; else its own words, so many as fit a table. */
export function typeNamed(words: string): string {
  const found = knownTypes
    .map(([name, pattern]) => ({ name, at: words.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  return found[0]?.name ?? [...(words.split('\n')[0] ?? '').trim()].slice(0, 60).join('');
}

const refusal = String.raw`(?:\bdo(?:es)?\s+not|n't|\bnot?|\bwithout|\brather\s+than|\binstead\s+of|\bavoid)\s+(?:\w+\s+){0,2}?`;

/** Named in words that are known, and not both: the first line decides where it can. */
export function parseRecommendation(words: string): Pick<Plan, 'recommendation' | 'recommended'> {
  if (words.trim() === '') return { recommendation: 'reasoning', recommended: 'missing' };
  for (const part of [words.trim().split('\n')[0] ?? '', words]) {
    const text = part.replaceAll(new RegExp(`${refusal}(?:python|reasoning|code|programs?)\\b`, 'gi'), '');
    const isPython = /\b(?:python|code|program|programming|pal)\b/i.test(text);
    const isReasoning = /\b(?:reasoning|reason|chain[\s-]of[\s-]thought|cot|think(?:ing)?)\b/i.test(text);
    if (isPython !== isReasoning)
      return { recommendation: isPython ? 'python' : 'reasoning', recommended: 'stated' };
  }
  return { recommendation: 'reasoning', recommended: 'unknown' };
}
