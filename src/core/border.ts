/** The border to code that users bring: what its functions must give, and one sentence where they give something else. */
import { z } from 'zod';
import { solutionEnds } from './agent.ts';
import { keepMessages } from './conversation.ts';
import { UserCodeError } from './errors.ts';
import type { ModelRequest } from './model.ts';

const texts = z.array(z.string());
const object = z.custom<object>(
  (value) => typeof value === 'object' && value !== null && !(value instanceof Promise),
  'expected an object, and no Promise',
);
const functionShape = z.custom<(...args: never) => unknown>((value) => typeof value === 'function');
const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const imagePart = z.looseObject({ type: z.literal('image'), mediaType: z.string(), data: z.string() });

const answer = z.discriminatedUnion('type', [
  textPart,
  z.looseObject({ type: z.literal('source'), language: z.string(), source: z.string() }),
  z.looseObject({
    type: z.literal('grids'),
    attempts: z.array(z.array(z.array(z.array(z.number())))),
  }),
]);

const tool = z.looseObject({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string(),
  parameters: object,
  call: functionShape,
});

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: z.string() }),
  z.looseObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart]))]),
  }),
  z.looseObject({ role: z.literal('assistant'), content: z.array(z.looseObject({ type: z.string() })) }),
  z.looseObject({ role: z.literal('tool'), callId: z.string(), name: z.string(), content: z.string() }),
]);

const loaded = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  statement: z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, imagePart]))]),
  brief: z.record(z.string(), z.string().optional()).optional(),
  stages: texts.optional(),
  detail: object,
  reference: object.optional(),
  contentHash: z.string().optional(),
});

/** By what gives it: its schema, and its name for people. */
const shapes = {
  solve: [
    z.looseObject({
      end: z.enum(solutionEnds),
      answer: answer.optional(),
      detail: z.string().optional(),
      gradeWithinMs: z.number().min(0).optional(),
      limit: z.literal('context').optional(),
    }),
    "a solution, such as `{ end: 'answered', answer }` or `{ end: 'gave-up' }`",
  ],
  answer: [answer, "an answer, such as `{ type: 'text', text }`, where `end` is `answered`"],
  parse: [
    z.union([answer, z.looseObject({ type: z.literal('misfit'), feedback: z.string() })]),
    "an answer, such as `{ type: 'text', text }`, or `{ type: 'misfit', feedback }`, and no Promise",
  ],
  grade: [
    z.looseObject({
      correct: z.boolean().optional(),
      score: z.number().optional(),
      explanation: z.string(),
    }),
    'a grade: `{ correct, explanation }` with true or false, or `{ score, explanation }` with a number',
  ],
  check: [z.looseObject({ pass: z.boolean(), feedback: z.string() }), '`{ pass, feedback }`'],
  tool: [z.looseObject({ text: z.string() }), '`{ text }`'],
  decide: [
    z.looseObject({ settings: object, told: z.string() }),
    '`{ settings, told }`, with all settings and a text, and no Promise',
  ],
  demands: [
    z.looseObject({
      images: z.boolean().optional(),
      languages: texts.optional(),
      tools: z.literal(false).optional(),
    }),
    '`{ images, languages, tools: false }`, and no Promise',
  ],
  load: [loaded, '`{ id, title, statement, detail }`, with what else a problem has'],
  open: [
    z.looseObject({
      parse: functionShape.optional(),
      equal: functionShape.optional(),
      check: functionShape.optional(),
      grade: functionShape.optional(),
      tools: z.array(tool).optional(),
      program: object.optional(),
      candidate: z.looseObject({ text: z.string() }).optional(),
      examples: object.optional(),
    }),
    'the functions of a problem in an object, such as `{ parse, grade }`, and no Promise',
  ],
  program: [
    z.looseObject({ language: z.string(), source: z.string() }),
    "a program, such as `{ language: 'python', source }`",
  ],
  messages: [z.array(message).min(1), "messages such as `[{ role: 'user', content: 'text' }]`, at least one"],
} as const satisfies Readonly<Record<string, readonly [z.ZodType, string]>>;

/** Values that are passed to Polya, and are not a function's result. */
const verbs = new Map([
  ['messages', 'asks a model with'],
  ['program', 'runs'],
  ['answer', 'answers with'],
]);

/** The value itself. Throws where it does not fit; `who`: the agent, or the family, that gave it. */
export function assertReturned<T>(name: keyof typeof shapes, value: T, who: string): T {
  const [shape, requested] = shapes[name];
  // A Promise would fit a shape whose fields are all optional.
  const read = shape.safeParse(value instanceof Promise ? undefined : value);
  if (read.success) return value;
  const [issue] = read.error.issues;
  const at = issue?.path.length ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  const verb = verbs.get(name);
  throw new UserCodeError({
    code: 'user-code-unfit',
    what: `${who} ${verb ?? 'gives'} ${formatValue(value)}${verb ? '' : ` from \`${name}\``}, where it must be ${requested}${at}.`,
  });
}

/** A copy: the agent may go on writing to its list. Messages are checked once: a run freezes those that it has seen. */
export function validateMessages(messages: ModelRequest['messages'], name: string): ModelRequest['messages'] {
  if (!Array.isArray(messages) || messages.length === 0) return assertReturned('messages', messages, name);
  return keepMessages(messages, (fresh) => {
    const messages = fresh.filter((each) => !seen.has(each));
    if (messages.length > 0) for (const each of assertReturned('messages', messages, name)) seen.add(each);
  });
}

const seen = new WeakSet<object>();

function formatValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Promise) return 'a Promise';
  try {
    const text = Number.isNaN(value) ? 'NaN' : (JSON.stringify(value) ?? String(value));
    return text.length > 100 ? `${text.slice(0, 100)}…` : text;
  } catch {
    return 'what is no JSON';
  }
}
