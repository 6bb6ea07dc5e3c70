/** The two runs that are resumed: their agents, tools and a model that answers so often and then hangs. */
import { z } from 'zod';
import { toolLoop } from '../src/agents/tool-loop/tool-loop.ts';
import type { Agent } from '../src/core/agent.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Model, ModelCall } from '../src/core/model.ts';
import type { Tool } from '../src/core/problem.ts';
import { instantModel, questionOf } from './calling.ts';
import { talkingModel, talkTools } from './tool-talk.ts';

export type StoppedKind = 'short' | 'conversation';

export type StoppedParts = {
  readonly agent: Agent;
  readonly settings: JsonObject;
  readonly tools: readonly Tool[];
  readonly model: Model;
  /** Resolves when the model is asked for more than `steps` replies. */
  readonly arrival: Promise<void>;
};

export function stoppedParts(kind: StoppedKind, steps: number): StoppedParts {
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  const answering = kind === 'short' ? instantModel : talkingModel;
  const model: Model = {
    ...answering,
    generate: async (request, call) => {
      if (call.index < steps) return answering.generate(request, call);
      arrive();
      await aborted(call);
      return { ok: false, error: { kind: 'aborted', message: 'aborted', retryable: false }, usage: null };
    },
  };
  if (kind === 'short') return { agent: callAndToolAgent, settings: {}, tools: [echo], model, arrival };
  return {
    agent: toolLoop,
    settings: {},
    tools: talkTools(Number.POSITIVE_INFINITY),
    model,
    arrival,
  };
}

/** Asks and calls in turn, for ever, and remembers nothing. */
const callAndToolAgent: Agent = {
  name: 'call-and-tool',
  settings: z.object({}),
  needs: [],
  roles: ['solver'],
  prompts: {},
  async solve(_problem, run) {
    for (let step = 0; ; step += 1) {
      await run.generate('solver', questionOf(step));
      await run.tool('echo', { step });
    }
  },
};

const echo: Tool = {
  name: 'echo',
  description: 'Says the number again.',
  parameters: z.object({ step: z.int() }),
  repeat: 'safe',
  call: async ({ step }) => ({ text: `This was step ${step}.` }),
};

function aborted({ signal }: ModelCall): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
