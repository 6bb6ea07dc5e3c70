/**
 * The notes of the plain engines (`best-of-n`, `edit-and-test`) and of the portfolio of engines. In a journal their kinds
 * have the engine's name before them, `best-of-n/program`, whether it runs alone or within another. Pure.
 */
import { z } from 'zod';
import type { Run } from '../core/agent.ts';
import { count } from '../text/format.ts';
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
  /** What an engine of a portfolio did with its share, and how much better the best became by it, in points. */
  slice: z.object({
    round: whole,
    engine: z.string(),
    calls: whole,
    cases: whole,
    gain: points,
    score: points,
  }),
  /** The choice: on held-out cases where there are some. */
  final: z.object({ chosen: z.string(), cases: whole, means: z.array(points), because: z.string() }),
} as const;

export type EngineNotes = { readonly [K in keyof typeof shapes]: z.infer<(typeof shapes)[K]> };

export function noteOfEngine<Kind extends keyof EngineNotes>(
  run: Pick<Run, 'note'>,
  engine: string,
  kind: Kind,
  data: EngineNotes[Kind],
): void {
  run.note(`${engine}/${kind}`, data);
}

export const describeEngineNote = describer(shapes, (note: NoteOf<typeof shapes>) => {
  switch (note.kind) {
    case 'program': {
      const { number, status, score, summary, detail } = note.data;
      const why = detail === '' ? '' : `: ${detail}`;
      return loud(`program ${number}, ${status}${score === null ? why : `, ${score}`}. ${summary}`);
    }
    case 'slice': {
      const { round, engine, calls, cases, gain, score } = note.data;
      const better = gain !== null && gain > 0 ? `better by ${gain}` : 'nothing better';
      return loud(
        `round ${round}, ${engine}: ${count(calls, 'call')}, ${count(cases, 'case')}; ${better}, the best is at ${score ?? 'nothing'}`,
        gain !== null && gain > 0 ? 'good' : 'plain',
      );
    }
    case 'final':
      return loud(`${note.data.chosen} is handed in: ${note.data.because}`, 'good');
  }
});
