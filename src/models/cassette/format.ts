/** A cassette as a file: a line of JSON about the conversation, then one for each settled call. See docs/scripts.md. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { AssistantMessage, ModelErrorKind } from '../../core/model.ts';
import { systemReason } from '../../text/system-reason.ts';
import { finishReason } from '../reply.ts';

export const cassetteVersion = 1;

const jsonObject = z.record(z.string(), z.json());
const count = z.number().int().nonnegative();
const provider = jsonObject.exactOptional();

const headSchema = z.strictObject({
  polyaCassette: z.literal(cassetteVersion),
  run: z.string(),
  agent: z.string(),
  problem: z.string(),
  polya: z.string(),
  /** False where the words of a puzzle were locked; the conversation in which it is played opens them. */
  withPuzzle: z.boolean(),
});

const part = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('reasoning'), text: z.string(), provider }),
  z.strictObject({
    type: z.literal('tool-call'),
    id: z.string(),
    name: z.string(),
    args: jsonObject.nullable(),
    raw: z.string().exactOptional(),
    provider,
  }),
]);

const tokens = z
  .object({ input: count, cachedInput: count, output: count, reasoning: count })
  .catchall(count);

const success = z.strictObject({
  content: z.array(part),
  finish: finishReason,
  object: z.json().exactOptional(),
  servedBy: z.string().exactOptional(),
});

const failure = z.strictObject({
  kind: z.string().transform((kind) => kind as ModelErrorKind),
  message: z.string(),
  retryable: z.boolean(),
});

const entrySchema = z
  .strictObject({
    role: z.string(),
    branch: z.string(),
    /** How many calls this role had made before in this branch. */
    index: count,
    attempt: count,
    model: z.string(),
    kind: z.enum(['live', 'script', 'recording', 'person']),
    /** Hash of the request without the ids that providers make up. */
    request: z.string(),
    /** How many calls of this role had asked the same before, in the whole run. */
    occurrence: count,
    tokens: tokens.nullable(),
    reply: success.exactOptional(),
    error: failure.exactOptional(),
  })
  .refine(({ reply, error }) => (reply === undefined) !== (error === undefined), {
    message: 'needs either a reply or an error',
  });

type CassetteHead = z.infer<typeof headSchema>;
export type CassetteEntry = z.infer<typeof entrySchema> & {
  readonly reply?: { readonly content: AssistantMessage['content'] };
};
export type Cassette = { readonly head: CassetteHead; readonly entries: readonly CassetteEntry[] };

export function cassetteText({ head, entries }: Cassette): string {
  return `${[head, ...entries].map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** Throws `UserError` where the file cannot be read or is no cassette; `path` names it there. */
export async function loadCassette(path: string): Promise<Cassette> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UserError({
      code: 'cassette-unreadable',
      what: `The cassette ${path} cannot be read.`,
      why: systemReason(error),
      fix: 'Name a file that `polya runs record` has written.',
    });
  });
  return parseCassette(text, path);
}

export function parseCassette(text: string, path: string): Cassette {
  const [first = 'null', ...rest] = text.split('\n').filter((line) => line.trim() !== '');
  const head = readLine(headSchema, first, 1, path);
  const entries = rest.map((line, index) => readLine(entrySchema, line, index + 2, path));
  return { head, entries: entries as readonly CassetteEntry[] };
}

function readLine<T>(schema: z.ZodType<T>, line: string, number: number, path: string): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw noCassette(path, `Line ${number} is no JSON.`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw noCassette(path, `Line ${number}, ${issue?.path.join('.') || 'the whole of it'}: ${issue?.message}.`);
}

function noCassette(path: string, why: string): UserError {
  return new UserError({
    code: 'no-cassette',
    what: `The file ${path} is no usable cassette.`,
    why,
    fix: 'Make it again with `polya runs record`; docs/scripts.md describes the format.',
  });
}
