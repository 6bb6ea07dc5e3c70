/**
 * The form of a script file, checked and brought into one shape: a bare text becomes a reply, a bare list becomes the
 * replies of any branch. What its places mean is not known here.
 */
import { z } from 'zod';
import type { FinishReason, ModelErrorKind } from '../core/model.ts';
import type { ScriptToolCall } from './scripted.ts';

const finishReasons = [
  'stop',
  'tool-calls',
  'length',
  'refusal',
  'other',
] as const satisfies readonly FinishReason[];

const errorKinds = [
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
    finish: z.enum(finishReasons).exactOptional(),
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
