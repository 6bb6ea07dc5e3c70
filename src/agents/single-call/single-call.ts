/**
 * One call, and what came back is the answer: the smallest agent, and the plainest way to try a model. Where an answer of
 * some form is asked for, the model is told the form, and what is handed in is the answer that is found in its reply.
 */
import { z } from 'zod';
import { describeRefusal } from '../../core/cut-off.ts';
import { defineAgent } from '../../core/define.ts';
import { requireReply } from '../../core/errors.ts';
import { isCutOff, type Message, type TextPart, textOf } from '../../core/model.ts';
import type { Problem } from '../../core/problem.ts';
import { describeCutReply } from '../kit/asking.ts';

const settingsSchema = z.object({
  system: z.string().default('').describe('Instructions before the question; none if it is empty.'),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.number().int().positive().optional(),
});

export const singleCall = defineAgent({
  name: 'single-call',
  settings: settingsSchema,
  needs: [],
  roles: ['solver'],
  usualTurns: 1,
  prompts: {},

  async solve(problem, run, { system, ...rest }) {
    const messages: Message[] = [
      ...(system ? [{ role: 'system', content: system } as const] : []),
      { role: 'user', content: [...problem.spec.statement, ...formOf(problem)] },
    ];
    const received = await run.generate('solver', { messages, settings: rest });
    if (received.ok && isCutOff(received))
      return { end: 'malformed', detail: describeCutReply(problem, received) };
    const reply = requireReply(received);
    if (reply.finish === 'refusal') return { end: 'refused', detail: describeRefusal(reply) };
    const text = textOf(reply.message);
    const answer = problem.parse?.(text) ?? ({ type: 'text', text } as const);
    if (answer.type === 'misfit') return { end: 'malformed', detail: answer.feedback };
    return { end: 'answered', answer };
  },
});

function formOf({ spec, parse }: Problem): readonly TextPart[] {
  const { answerFormat } = spec.brief;
  return parse && answerFormat ? [{ type: 'text', text: answerFormat }] : [];
}
