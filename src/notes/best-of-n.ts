/** The notes of `best-of-n`: each program that it asked for, and the choice. Pure. */
import { z } from 'zod';
import type { Run } from '../core/agent.ts';
import { candidateStatuses } from './evolution.ts';
import { describer, loud, type NoteOf } from './note.ts';

const whole = z.number().int().nonnegative();
const points = z.number().nullable();

const shapes = {
  /** A program that was proposed, from 1; a repair of it is another one. `score` as of a candidate of evolution. */
  program: z.object({
    number: whole,
    summary: z.string(),
    source: z.string(),
    status: z.enum(candidateStatuses),
    detail: z.string(),
    score: points,
    cases: whole,
    calls: whole,
  }),
  /** The choice: on held-out cases where there are some. */
  final: z.object({ chosen: z.string(), cases: whole, means: z.array(points), because: z.string() }),
} as const;

type BestOfNNotes = { readonly [K in keyof typeof shapes]: z.infer<(typeof shapes)[K]> };

export function noteOfBest<Kind extends keyof BestOfNNotes>(
  run: Pick<Run, 'note'>,
  kind: Kind,
  data: BestOfNNotes[Kind],
): void {
  run.note(kind, data);
}

export const describeBestOfNNote = describer(shapes, (note: NoteOf<typeof shapes>) => {
  switch (note.kind) {
    case 'program': {
      const { number, status, score, summary, detail } = note.data;
      const why = detail === '' ? '' : `: ${detail}`;
      return loud(`program ${number}, ${status}${score === null ? why : `, ${score}`}. ${summary}`);
    }
    case 'final':
      return loud(`${note.data.chosen} is handed in: ${note.data.because}`, 'good');
  }
});
