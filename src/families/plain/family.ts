/**
 * A question as its user wrote it, with pictures if there are any: no tools, no stages, no grading.
 * Knows no agent and no model; files reach it through what it is given.
 */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { ImagePart, TextPart } from '../../core/model.ts';
import type { Family, ProblemSpec } from '../../core/problem.ts';

const referenceSchema = z.strictObject({
  text: z.string(),
  /** Paths of picture files. */
  images: z.array(z.string()).default([]),
});

export type PlainSettings = {
  /** The bytes of a file that the user has named. Throws `UserError` where it cannot be read. */
  readBytes(path: string): Promise<Uint8Array>;
  hashText(text: string): string;
};

export function plainFamily(settings: PlainSettings): Family {
  return {
    name: 'plain',
    reference: referenceSchema,
    offers: [],
    async load(json): Promise<ProblemSpec> {
      const reference = parse(json);
      const { text, images } = reference;
      const pictures = await Promise.all(images.map((path) => imageFrom(settings, path)));
      const statement: (TextPart | ImagePart)[] = [{ type: 'text', text }, ...pictures];
      const contentHash = settings.hashText(JSON.stringify(statement));
      return {
        family: 'plain',
        id: `plain/${contentHash.slice(0, 12)}`,
        title: titleOf(text),
        reference,
        contentHash,
        statement,
        brief: { task: 'Answer the question.', answerFormat: '', criteria: '', environment: '' },
        stages: [],
        detail: {},
      };
    },
    open: (spec) => ({ spec }),
  };
}

function parse(json: unknown): z.infer<typeof referenceSchema> {
  const parsed = referenceSchema.safeParse(json);
  if (!parsed.success) {
    throw new UserError({
      code: 'question-empty',
      what: `This is no question: ${z.prettifyError(parsed.error)}`,
    });
  }
  if (parsed.data.text.trim() !== '') return parsed.data;
  throw new UserError({
    code: 'question-empty',
    what: 'The question is empty.',
    fix: 'Write what is to be asked.',
  });
}

const longestTitle = 60;

function titleOf(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1)}…`;
}

const largestImageBytes = 20 * 2 ** 20;
/** What the bytes of a file say that it is, and where they stand. */
const signatures = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
] as const;

async function imageFrom({ readBytes }: PlainSettings, path: string): Promise<ImagePart> {
  const file = await readBytes(path);
  const start = String.fromCharCode(...file.subarray(0, 12));
  const found = signatures.find(([, at, mark]) => start.startsWith(mark, at));
  if (!found) throw noPicture(path, 'It is no PNG, JPEG, GIF or WebP.');
  if (file.length > largestImageBytes)
    throw noPicture(path, 'It is larger than 20 MiB, which no provider takes.');
  return { type: 'image', mediaType: found[0], data: toBase64(file) };
}

function noPicture(path: string, why: string): UserError {
  return new UserError({
    code: 'picture-unreadable',
    what: `${path} cannot be shown to a model.`,
    why,
    fix: 'Name another picture.',
  });
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  const piece = 32_768;
  for (let at = 0; at < bytes.length; at += piece)
    binary += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(binary);
}
