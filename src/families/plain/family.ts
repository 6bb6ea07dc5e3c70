/**
 * A question as its user wrote it, with pictures if there are any: no tools, no stages, no grading.
 * Knows no agent and no model; files reach it through what it is given.
 */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { type ImagePart, imageOf, type TextPart } from '../../core/model.ts';
import type { Family, ProblemSpec } from '../../core/problem.ts';
import { titleFrom } from '../../text/format.ts';

const referenceSchema = z.strictObject({
  text: z.string().describe('What is asked.'),
  images: z.array(z.string()).default([]).describe('Files of pictures that are shown with it.'),
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
    travels: true,
    offers: [],
    async load(json): Promise<ProblemSpec> {
      const reference = parse(json);
      const { text, images } = reference;
      const imageParts = await Promise.all(images.map((path) => imageFrom(settings, path)));
      const statement: (TextPart | ImagePart)[] = [{ type: 'text', text }, ...imageParts];
      const contentHash = settings.hashText(JSON.stringify(statement));
      return {
        family: 'plain',
        id: `plain/${contentHash.slice(0, 12)}`,
        title: titleFrom(text),
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

const largestImageBytes = 20 * 2 ** 20;

async function imageFrom({ readBytes }: PlainSettings, path: string): Promise<ImagePart> {
  const file = await readBytes(path);
  const imagePart = imageOf(file);
  if (!imagePart) throw missingPictureError(path, 'It is no PNG, JPEG, GIF or WebP.');
  if (file.length > largestImageBytes)
    throw missingPictureError(path, 'It is larger than 20 MiB, which no provider takes.');
  return imagePart;
}

function missingPictureError(path: string, why: string): UserError {
  return new UserError({
    code: 'picture-unreadable',
    what: `${path} cannot be shown to a model.`,
    why,
    fix: 'Name another picture.',
  });
}
