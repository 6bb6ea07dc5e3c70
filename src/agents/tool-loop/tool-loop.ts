/**
 * The plain agentic loop: the model calls tools until the problem's last stage is done. It keeps one growing
 * conversation, reminds a model that only talks, and plans nothing.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { requireReply } from '../../core/errors.ts';
import { type Message, type ToolDefinition, toolCallsOf } from '../../core/model.ts';
import type { Problem, StageAdvance, Tool } from '../../core/problem.ts';
import { count } from '../../text/format.ts';
import { modelSettings, user } from '../kit/asking.ts';

const toolLoopPrompts = {
  system: `{{task}}

{{answerFormat}}

{{criteria}}

{{environment}}

You have {{toolCalls}} tool calls in all, failed ones included, and nobody to ask. Only tool calls have an effect; nobody reads what you merely say. When a result is wrong, find out why instead of guessing again.`,

  begin: `The problem is "{{title}}". Begin by fetching its statement.`,

  reminder: `You called no tool. The problem is not solved yet, and only tool calls count. Go on with a tool call.`,

  callsLeft: `[Left: {{left}}. Hand in your best answer before they are used up.]`,

  hint: `A note from the person who watches this run: {{hint}}`,
};

const settingsSchema = z.object({
  reminders: z
    .int()
    .min(0)
    .max(20)
    .default(2)
    .describe('How often a model that calls no tool is reminded before the run ends as `stopped`.'),
  statement: z
    .enum(['from-tools', 'given'])
    .default('given')
    .describe(
      "`given`: the first message holds the statement, and what else is known of the problem. `from-tools`: the model fetches it with the problem's tools.",
    ),
  callsLeftTold: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe('When this many calls or fewer are left, results of tools say how many. 0: never.'),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  reasoningEffort: z.enum(['low', 'medium', 'high']).optional(),
});

export const toolLoop = defineAgent({
  name: 'tool-loop',
  settings: settingsSchema,
  needs: ['tools', 'stages'],
  roles: ['solver'],
  prompts: toolLoopPrompts,
  absentMeans: { statement: 'from-tools', callsLeftTold: 0 },

  async solve(problem, run, settings) {
    const messages: Message[] = [
      { role: 'system', content: systemPrompt(problem, run) },
      settings.statement === 'given'
        ? { role: 'user', content: problem.spec.statement }
        : user(run.prompt('begin', { title: problem.spec.title })),
    ];
    const tools = definitionsOf(problem.tools);
    const used = { modelCalls: 0, toolCalls: 0 };
    let reminders = 0;

    for (;;) {
      for (const hint of await run.inbox()) messages.push(user(run.prompt('hint', { hint })));
      const request = { messages, tools, settings: modelSettings(settings) };
      const reply = requireReply(await run.generate('solver', request));
      used.modelCalls += 1;
      messages.push(reply.message);
      if (reply.finish === 'refusal') return { end: 'refused', detail: 'The model refused.' };

      const calls = toolCallsOf(reply.message);
      if (calls.length === 0) {
        if (reminders === settings.reminders)
          return { end: 'stopped', detail: 'The model called no tool any more.' };
        reminders += 1;
        run.note('reminder', { number: reminders });
        messages.push(user(run.prompt('reminder')));
        continue;
      }

      let advance: StageAdvance | undefined;
      for (const call of calls) {
        const result = await run.tool(call.name, call.args ?? call.raw ?? null);
        used.toolCalls += 1;
        // In front: a program's output ends a result, and scripts take it from there.
        const content = callsLeft(run, used, settings.callsLeftTold) + result.text;
        const isError = result.isError || undefined;
        messages.push({ role: 'tool', callId: call.id, name: call.name, content, isError });
        advance = result.advance ?? advance;
        if (advance?.to === null) return { end: 'answered', detail: 'All parts are solved.' };
      }
      if (advance) messages.push({ role: 'user', content: advance.statement });
    }
  },
});

function systemPrompt(problem: Problem, run: Run): string {
  const limit = run.limits.toolCalls;
  return run.prompt('system', {
    ...problem.spec.brief,
    toolCalls: limit === undefined ? 'as many as you need' : `${limit}`,
  });
}

type Used = Readonly<Record<'toolCalls' | 'modelCalls', number>>;

/** A sentence with the number of calls left; empty while it is above `told`. */
function callsLeft(run: Run, used: Used, told: number): string {
  const few = (
    [
      ['toolCalls', 'tool call'],
      ['modelCalls', 'model call'],
    ] as const
  ).flatMap(([limit, noun]) => {
    const left = (run.limits[limit] ?? Number.POSITIVE_INFINITY) - used[limit];
    return told > 0 && left <= told ? [count(left, noun)] : [];
  });
  return few.length === 0 ? '' : `${run.prompt('callsLeft', { left: few.join(', ') })}\n\n`;
}

function definitionsOf(tools: readonly Tool[]): ToolDefinition[] {
  return tools.map(({ name, description, parameters, shown }) => ({
    name,
    description,
    parameters: shown ?? (z.toJSONSchema(parameters) as ToolDefinition['parameters']),
  }));
}
