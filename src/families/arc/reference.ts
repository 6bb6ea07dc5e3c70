/** By what an ARC task is found again: its file or folder, its id, and where its solutions are. */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';

export const arcReference = z.strictObject({
  /** A file of tasks, of one task, or a folder of such files. */
  file: z.string().min(1),
  /** Needed where there are several. */
  task: z.string().min(1).exactOptional(),
  /** Absent: beside the challenges, if they are there. Null: without. */
  solutions: z.string().min(1).nullable().exactOptional(),
});

export type ArcReference = z.infer<typeof arcReference>;

export function parseReference(json: unknown): ArcReference {
  const parsed = arcReference.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UserError({
    code: 'names-no-arc-task',
    what: `This names no ARC task: ${z.prettifyError(parsed.error)}`,
    fix: 'Give `file`, `task`, and `solutions` where they are not beside the challenges.',
  });
}
