/** The grade of a run. The site, or the user's own answer, has judged already: the run's tool calls say what. Pure. */
import { z } from 'zod';
import type { Grade, PastToolCall, Submission } from '../../core/problem.ts';

const judgedAnswer = z.object({ verdict: z.string(), stars: z.number().optional() });

/** `stages` are those of the spec: the last day of an event has one. */
export function gradeOf(
  stages: readonly string[],
  { stagesDone }: Submission,
  past: readonly PastToolCall[],
): Grade {
  const verdicts = stages.map((stage) => lastVerdict(past, stage));
  const isRight = (stage: string, index: number) =>
    stagesDone.includes(stage) && verdicts[index]?.verdict !== 'unjudged';
  const right = stages.filter(isRight).length;
  const unjudged = verdicts.some((each) => each?.verdict === 'unjudged');
  return {
    // Of what nobody can judge, nobody says that it is wrong.
    ...(unjudged ? {} : { correct: right === stages.length }),
    explanation: unjudged
      ? 'Answers were given that nobody here can judge.'
      : explain(stages, right, verdicts[0]?.stars),
    data: { partsSolved: right },
  };
}

function lastVerdict(past: readonly PastToolCall[], stage: string) {
  const call = past.findLast(({ tool, stage: of, result }) => {
    return tool === 'SubmitAnswer' && of === stage && result.advance !== undefined;
  });
  return judgedAnswer.safeParse(call?.result.data).data;
}

function explain(stages: readonly string[], right: number, stars: number | undefined): string {
  if (right === 0) return 'No part was solved.';
  if (stages.length > 1)
    return right === 1 ? 'Part 1 was solved, part 2 was not.' : 'Both parts were solved.';
  return stars === 2
    ? 'The only part was solved; the second star has come by itself.'
    : 'The only part was solved.';
}
