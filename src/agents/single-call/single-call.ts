/**
 * One call, and what came back is the answer: the smallest agent, and the plainest way to try a model. Where an answer of
 * some form is asked for, the model is told the form, and what is handed in is the answer that is found in its reply.
 */
import { z } from 'zod';
import { describeModelRefusal, requireReply } from '../../core/cut-off.ts';
import { defineAgent } from '../../core/define.ts';
import { isCutOff, type Message, type ModelSuccess, type TextPart, textOf } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { describeCutReply, noAnswerPrompt, nothingSaid, readAnswer, requestReading } from '../kit/asking.ts';

const settingsSchema = z.object({
  system: z.string().default('').describe('Instructions before the question; none if it is empty.'),
  repairs: z
    .number()
    .int()
    .min(0)
    .max(5)
    .default(1)
    .describe('How often a reply whose answer cannot be read is asked about.'),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.number().int().positive().optional(),
});

export const singleCall = defineAgent({
  name: 'single-call',
  settings: settingsSchema,
  needs: [],
  roles: ['solver'],
  usualTurns: 1,
  prompts: { noAnswer: noAnswerPrompt },

  async solve(problem, run, { system, repairs, ...rest }) {
    const messages: Message[] = [
      ...(system ? [{ role: 'system', content: system } as const] : []),
      { role: 'user', content: [...problem.spec.statement, ...formOf(problem)] },
    ];
    const { answerFormat } = problem.spec.brief;
    const request = async (turns: readonly Message[]) => {
      const received = await run.generate('solver', { messages: turns, settings: rest });
      return received.ok && isCutOff(received) ? received : requireReply(received);
    };
    const { reading, reply } = await requestReading<Answer, ModelSuccess>({
      messages,
      repairs: problem.parse ? repairs : 0,
      request,
      read: ({ message }) => readAnswer(problem, textOf(message)),
      repairPrompt: (feedback) =>
        run.prompt('noAnswer', { feedback, answerFormat: answerFormat || nothingSaid }),
    });
    if (isCutOff(reply)) return { end: 'malformed', detail: describeCutReply(problem, reply) };
    if (reply.finish === 'refusal') return { end: 'refused', detail: describeModelRefusal(reply) };
    return reading.ok
      ? { end: 'answered', answer: reading.value }
      : { end: 'malformed', detail: reading.problem };
  },
});

function formOf({ spec, parse }: Problem): readonly TextPart[] {
  const { answerFormat } = spec.brief;
  return parse && answerFormat ? [{ type: 'text', text: answerFormat }] : [];
}
