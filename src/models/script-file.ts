/** A script as a YAML or JSON file (docs/scripts.md). All that can be known without a request is checked when it is read. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import type { ModelErrorKind } from '../core/model.ts';
import { readYaml } from '../core/yaml.ts';
import { warnWhileWaiting } from '../io/plain-file.ts';
import { systemReason } from '../text/system-reason.ts';
import { bestPattern } from './pattern.ts';
import { fillJson, fillText, knownPlaces, unknownPlaceholders } from './places.ts';
import { finishReason } from './reply.ts';
import type {
  Script,
  ScriptCall,
  ScriptEnd,
  ScriptError,
  ScriptSuccess,
  ScriptToolCall,
} from './scripted.ts';

/** Throws `UserError` where the file cannot be read or is no script. */
export async function loadScript(path: string): Promise<Script> {
  using _ = warnWhileWaiting(path);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UserError({
      code: 'file-unreadable',
      what: `The script ${path} cannot be read.`,
      why: systemReason(error),
      fix: 'Name a YAML or JSON file after `scripted:`.',
    });
  });
  return parseScript(text, path);
}

/** A script from the text of a file; `file` only names it in errors. JSON is read as the YAML that it also is. */
export function parseScript(text: string, file: string): Script {
  const read = readYaml(text);
  if (!read.ok) throw scriptFileError(file, [read.why]);
  const parsed = scriptFileSchema.safeParse(read.value);
  if (!parsed.success) {
    throw scriptFileError(
      file,
      parsed.error.issues.map((issue) => `${formatLocation(issue.path)}: ${issue.message}`),
      Object(read.value).roles === undefined ? 'Lists of replies stand under `roles`, by their role.' : '',
    );
  }
  const unknown = misplacedPlaceholders(parsed.data);
  if (unknown.length)
    throw scriptFileError(file, unknown, `The places are ${knownPlaces}. Write \\{{ for mere braces.`);
  const { onlyFor } = parsed.data;
  return Object.assign((call: ScriptCall) => answer(parsed.data, call), { onlyFor });
}

function answer(file: ScriptFile, call: ScriptCall): ScriptSuccess | ScriptError | ScriptEnd {
  const branches = pick(file.roles, call.role);
  if (!branches) return { end: true, replies: 0, detail: `its roles are ${quoted(file.roles)}` };
  const replies = pick(branches, call.branch);
  if (!replies) return { end: true, replies: 0, detail: `its branches are ${quoted(branches)}` };
  const last = replies.at(-1);
  const reply = replies[call.index] ?? (last?.repeat ? last : undefined);
  if (!reply) return { end: true, replies: replies.length };
  const told = replyFor(reply, call);
  return { ...told, delayMs: told.delayMs ?? file.delayMs };
}

function pick<T>(lists: Readonly<Record<string, T>>, name: string): T | undefined {
  const pattern = bestPattern(Object.keys(lists), name);
  return pattern === undefined ? undefined : lists[pattern];
}

function replyFor(reply: ScriptFileReply, call: ScriptCall): ScriptSuccess | ScriptError {
  const { error, literal, repeat: _, ...content } = reply;
  if (error) {
    const { times = hasContent(content) ? 1 : Infinity, ...description } = error;
    if (call.attempt < times) return { error: description, delayMs: content.delayMs };
  }
  return literal ? content : fill(content, call);
}

function fill(content: ScriptSuccess, call: ScriptCall): ScriptSuccess {
  const { text, reasoning, object, toolCalls } = content;
  return {
    ...content,
    text: text === undefined ? undefined : fillText(text, call),
    reasoning: reasoning === undefined ? undefined : fillText(reasoning, call),
    object: object === undefined ? undefined : fillJson(object, call),
    toolCalls: toolCalls?.map((each) => fillToolCall(each, call)),
  };
}

function fillToolCall(toolCall: ScriptToolCall, call: ScriptCall): ScriptToolCall {
  return toolCall.args
    ? { ...toolCall, args: fillJson(toolCall.args, call) }
    : { ...toolCall, raw: fillText(toolCall.raw, call) };
}

/** Places that no request could fill, each with its position. */
function misplacedPlaceholders(file: ScriptFile): readonly string[] {
  const found: string[] = [];
  for (const [role, branches] of Object.entries(file.roles)) {
    for (const [branch, replies] of Object.entries(branches)) {
      for (const [index, reply] of replies.entries()) {
        for (const name of reply.literal ? [] : findPlaceholders(reply)) {
          found.push(`${formatLocation(['roles', role, branch, index])}: {{${name}}} is no place`);
        }
      }
    }
  }
  return found;
}

function findPlaceholders({ text, reasoning, object, toolCalls = [] }: ScriptFileReply): readonly string[] {
  const outputs = toolCalls.map((call) => call.args ?? call.raw);
  return [text, reasoning, object, ...outputs].flatMap(unknownPlaceholders);
}

/** `role "solver", branch "*", index 2, toolCalls.0.name` */
function formatLocation([top, role, branch, index, ...inner]: readonly PropertyKey[]): string {
  if (top !== 'roles' || role === undefined) return top === undefined ? 'the whole file' : String(top);
  const parts = [`role "${String(role)}"`];
  if (branch !== undefined) parts.push(`branch "${String(branch)}"`);
  if (index !== undefined) parts.push(`index ${String(index)}`);
  if (inner.length) parts.push(inner.map(String).join('.'));
  return parts.join(', ');
}

const shownMistakes = 5;

function scriptFileError(file: string, found: readonly string[], hint = ''): UserError {
  const text = found.slice(0, shownMistakes).join('; ');
  const more = found.length > shownMistakes ? `; and ${found.length - shownMistakes} more` : '';
  return new UserError({
    code: 'script-invalid',
    what: `The file ${file} is no usable script.`,
    why: `${text}${more}.`,
    fix: `${hint} The format is described in docs/scripts.md.`.trim(),
  });
}

function quoted(lists: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(lists).map((name) => `"${name}"`);
  return names.join(', ') || 'none';
}

export const errorKinds = [
  'rate-limit',
  'overloaded',
  'network',
  'timeout',
  'auth',
  'bad-request',
  'context-overflow',
  'malformed',
  'refusal',
  'script-exhausted',
  'aborted',
  'other',
] as const satisfies readonly ModelErrorKind[];

const milliseconds = z.number().int().nonnegative();
const jsonObject = z.record(z.string(), z.json());

const toolCall = z
  .strictObject({
    name: z.string().min(1),
    args: jsonObject.exactOptional(),
    raw: z.string().exactOptional(),
  })
  .refine((call) => call.args === undefined || call.raw === undefined, 'has both args and raw: choose one')
  .transform(
    ({ name, args, raw }): ScriptToolCall =>
      raw === undefined ? { name, args: args ?? {} } : { name, args: null, raw },
  );

const error = z.strictObject({
  kind: z.enum(errorKinds),
  message: z.string().exactOptional(),
  retryable: z.boolean().exactOptional(),
  retryAfterMs: milliseconds.exactOptional(),
  billed: z.boolean().exactOptional(),
  times: z.number().int().positive().exactOptional(),
});

const reply = z
  .strictObject({
    text: z.string().exactOptional(),
    reasoning: z.string().exactOptional(),
    toolCalls: z.array(toolCall).exactOptional(),
    object: z.json().exactOptional(),
    finish: finishReason.exactOptional(),
    error: error.exactOptional(),
    delayMs: milliseconds.exactOptional(),
    literal: z.boolean().exactOptional(),
    repeat: z.boolean().exactOptional(),
  })
  .refine((entry) => entry.error !== undefined || hasContent(entry), {
    message: 'says nothing: give it a text, reasoning, toolCalls, object or error',
  })
  .refine((entry) => entry.error?.times === undefined || hasContent(entry), {
    message: 'fails `times` times, but has nothing to say afterwards',
  });

const replies = z
  .array(z.preprocess((entry) => (typeof entry === 'string' ? { text: entry } : entry), reply))
  .superRefine((list, context) => {
    list.slice(0, -1).forEach((entry, index) => {
      if (!entry.repeat) return;
      context.addIssue({
        code: 'custom',
        path: [index, 'repeat'],
        message: 'only the last reply may repeat',
      });
    });
  });

const branches = z.preprocess(
  (value) => (Array.isArray(value) ? { '*': value } : value),
  z.record(z.string(), replies),
);

export const scriptFileSchema = z.strictObject({
  /** For its readers. */
  about: z.string().exactOptional(),
  /** Words that the problem must hold which it was written for. */
  onlyFor: z.string().min(1).exactOptional(),
  delayMs: milliseconds.exactOptional(),
  roles: z
    .record(z.string(), branches)
    .refine((roles) => Object.keys(roles).length > 0, 'holds no role: give it at least one, such as solver'),
});

export type ScriptFile = z.infer<typeof scriptFileSchema>;
export type ScriptFileReply = z.infer<typeof reply>;

type Content = { text?: string; reasoning?: string; toolCalls?: unknown[]; object?: unknown };

/** Whether a reply says something besides failing. */
export function hasContent({ text, reasoning, toolCalls, object }: Content): boolean {
  return [text, reasoning, toolCalls, object].some((part) => part !== undefined);
}
