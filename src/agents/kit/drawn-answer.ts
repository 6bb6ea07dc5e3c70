/** One answer drawn from a model by a chain of thought, and answers grouped by equality. It knows no agent. */
import type { Run } from '../../core/agent.ts';
import { requireReply } from '../../core/cut-off.ts';
import { isCutOff, type ModelSettings, textOf } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { briefFields, noAnswerPrompt, readAnswer, requestReading, system } from './asking.ts';

export const drawPrompts = {
  draw: `What to do: {{task}}

What counts as an answer: {{answerFormat}}

How it is judged: {{criteria}}

Reason step by step, then state your answer in that form.`,

  noAnswer: noAnswerPrompt,
};

export type Draw = {
  readonly problem: Problem;
  readonly run: Run;
  readonly role: string;
  readonly settings: ModelSettings;
};

/** A reply without an answer is asked about once. Null if there is none then. */
export async function drawAnswer({ problem, run, role, settings }: Draw): Promise<Answer | null> {
  const brief = briefFields(problem);
  const { reading } = await requestReading({
    messages: [system(run.prompt('draw', brief)), { role: 'user', content: problem.spec.statement }],
    repairs: 1,
    async request(messages) {
      const received = await run.generate(role, { messages, settings });
      return received.ok && isCutOff(received) ? received : requireReply(received);
    },
    read: (reply) => readAnswer(problem, textOf(reply.message).trim()),
    repairPrompt: (feedback) => run.prompt('noAnswer', { feedback, answerFormat: brief.answerFormat ?? '' }),
  });
  return reading.ok ? reading.value : null;
}

/** The largest group first; of equal ones the earlier. An answer joins the first group whose first answer it equals. */
export function groupAnswers(
  { equal }: Pick<Problem, 'equal'>,
  answers: readonly Answer[],
): readonly Answer[][] {
  const isEqual = equal ?? ((a: Answer, b: Answer) => JSON.stringify(a) === JSON.stringify(b));
  const groups: Answer[][] = [];
  for (const answer of answers) {
    const group = groups.find(([first]) => first && isEqual(first, answer) && isEqual(answer, first));
    if (group) group.push(answer);
    else groups.push([answer]);
  }
  return groups.toSorted((a, b) => b.length - a.length);
}
