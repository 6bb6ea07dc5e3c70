/**
 * What the instructor and the programmer reply, as JSON of a schema or as labelled lines, whichever was asked for: what
 * comes in the other form is read all the same. A reply that cannot be read says why, in words for the model. Pure.
 */
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { type ModelRequest, type ModelSuccess, textOf } from '../../core/model.ts';
import type { NextInstruction } from './state.ts';

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

export type OutputForm = NonNullable<ModelRequest['output']>;

export function outputForm(name: string, schema: z.ZodType): OutputForm {
  return { name, schema: z.toJSONSchema(schema) as JsonObject };
}

const confidences = ['low', 'medium', 'high'] as const;

export const instructionForm: OutputForm = outputForm(
  'instruction',
  z.object({
    instruction: z.string().describe('one instruction; empty if and only if done'),
    revises: z.number().int().nullable().describe('number of the earlier instruction it replaces, or null'),
    done: z.boolean().describe('nothing more is to be done'),
    rationale: z.string(),
    confidence: z.enum(confidences),
  }),
);

export const programForm: OutputForm = outputForm(
  'program',
  z.object({ rationale: z.string(), program: z.string().describe('Python that defines transform(grid)') }),
);

/** Only the instruction itself must be there: what merely accompanies it has defaults. */
const lenientInstruction = z.object({
  instruction: z.string().catch(''),
  revises: z.coerce.number().int().nullable().catch(null),
  done: z.boolean().catch(false),
  rationale: z.string().catch(''),
  confidence: z.enum(confidences).catch('medium'),
});

export function readInstruction(reply: ModelSuccess): Read<NextInstruction> {
  const object = objectIn(reply);
  const { instruction, ...rest } = lenientInstruction.parse(object ?? labelled(textOf(reply.message)));
  const text = instruction.trim();
  if (text !== '' || rest.done) return { ok: true, value: { ...rest, text } };
  return { ok: false, problem: `It holds no instruction${cutText(reply)}.` };
}

export type Program = { readonly source: string; readonly rationale: string };

export function readProgram(reply: ModelSuccess): Read<Program> {
  const object = objectIn(reply);
  const said = textOf(reply.message);
  const whole = typeof object?.program === 'string' ? object.program : said;
  const source = lastFence(whole) ?? (object ? whole : '');
  const rationale = typeof object?.rationale === 'string' ? object.rationale : textBeforeFence(said);
  if (/\bdef\s+transform\s*\(/.test(source)) return { ok: true, value: { source, rationale } };
  return { ok: false, problem: `It holds no program that defines transform(grid)${cutText(reply)}.` };
}

/** The structured reply, or JSON that was written in the place of words. */
export function objectIn(reply: ModelSuccess): JsonObject | null {
  if (isObject(reply.object)) return reply.object;
  const text = textOf(reply.message).trim();
  const candidate = text.startsWith('{') ? text : lastFence(text, 'json');
  if (!candidate) return null;
  try {
    const parsed: unknown = JSON.parse(candidate);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

export function cutText({ finish }: Pick<ModelSuccess, 'finish'>): string {
  return finish === 'length' ? ', and it was cut at its longest length' : '';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const label = /^[\s>#*_-]*(instruction|revises|done|rationale|confidence)[\s*_]*:[\s*_]*([^\n]*)$/i;

/** `Done: yes` and the like, each up to the next label. */
function labelled(text: string): Record<string, unknown> {
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
    instruction: isNothing(value('instruction')) ? '' : value('instruction'),
    revises: number === undefined ? null : Number(number),
    done: /^\W*(yes|true)\b/i.test(value('done')),
    rationale: value('rationale'),
    confidence: /\b(low|medium|high)\b/.exec(value('confidence').toLowerCase())?.[1],
  };
}

function isNothing(text: string): boolean {
  return /^\W*(?:(?:none|nothing|n\/a)\W*)?$/i.test(text);
}

const fence = /^[ \t]*```[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)^[ \t]*```/gm;

/** The last one counts: models try things out before they answer. */
function lastFence(text: string, language?: string): string | null {
  const all = [...text.matchAll(fence)].filter(([, name]) => language === undefined || name === language);
  return all.at(-1)?.[2] ?? null;
}

function textBeforeFence(text: string): string {
  const at = text.indexOf('```');
  return (at < 0 ? '' : text.slice(0, at)).trim();
}
