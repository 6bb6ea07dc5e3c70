/**
 * Small worlds for one test each: an agent that is one function, a problem that has what the test gives it, a model that
 * is one function. Everything lies in a temporary folder.
 */
import { z } from 'zod';
import type { Agent, Run, Solution } from '../../src/core/agent.ts';
import { requireReply } from '../../src/core/cut-off.ts';
import type { Event } from '../../src/core/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import {
  type Model,
  type ModelCall,
  type ModelReply,
  type ModelRequest,
  textOf,
} from '../../src/core/model.ts';
import type {
  EffectContext,
  Family,
  Problem,
  ProblemSpec,
  Tool,
  ToolResult,
} from '../../src/core/problem.ts';
import type { RunSpec } from '../../src/run/start.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type ToyWorldOptions, toyWorld } from './world.ts';

export function agentOf(
  solve: (run: Run, settings: JsonObject) => Promise<Solution>,
  more: Partial<Agent> = {},
): Agent {
  return {
    name: 'odd',
    settings: z.record(z.string(), z.json()),
    needs: [],
    roles: ['solver'],
    prompts: { go: 'go' },
    solve: (_problem, run, settings) => solve(run, settings),
    ...more,
  };
}

export function toolOf(
  name: string,
  call: (args: JsonObject, context: EffectContext) => Promise<ToolResult>,
  more: Partial<Tool> = {},
): Tool {
  return {
    name,
    description: name,
    parameters: z.record(z.string(), z.json()),
    repeat: 'safe',
    call,
    ...more,
  };
}

export function familyOf(
  parts: Omit<Partial<Problem>, 'spec'> & { spec?: Partial<ProblemSpec> } = {},
): Family {
  const { spec: changes, ...functions } = parts;
  return {
    name: 'odd',
    async load(): Promise<ProblemSpec> {
      return {
        family: 'odd',
        id: 'odd-1',
        title: 'Odd',
        reference: {},
        contentHash: 'odd',
        statement: [],
        brief: { task: 'do', answerFormat: '', criteria: '', environment: '' },
        stages: [],
        detail: {},
        ...changes,
      };
    },
    open: (spec): Problem => ({ ...functions, spec }),
  };
}

/** Usage is 10 tokens in and as many out as there are characters. */
export function modelOf(
  answer: (request: ModelRequest, call: ModelCall) => ModelReply | string | Promise<ModelReply | string>,
  more: Partial<Model> = {},
): Model {
  return {
    id: 'test/odd',
    kind: 'script',
    takes: { images: true, tools: true },
    price: { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.1, outputUsdPerMillion: 2 },
    async generate(request, call) {
      const reply = await answer(request, call);
      return typeof reply === 'string' ? said(reply) : reply;
    },
    ...more,
  };
}

export function said(text: string): ModelReply {
  const tokens = { input: 10, cachedInput: 0, output: text.length, reasoning: 0 };
  const message = { role: 'assistant', content: [{ type: 'text', text }] } as const;
  return { ok: true, message, finish: 'stop', usage: { tokens, costUsd: null } };
}

export async function say(run: Run, text: string, more: Partial<ModelRequest> = {}): Promise<string> {
  const messages = [{ role: 'user', content: text }] as const;
  return textOf(requireReply(await run.generate('solver', { messages, ...more })).message);
}

/** An agent that says what a test wants it to, one thing after the other. */
export const answered = (text: string): Solution => ({ end: 'answered', answer: { type: 'text', text } });

export type OddOptions = Partial<ToyWorldOptions> & {
  readonly solve?: (run: Run, settings: JsonObject) => Promise<Solution>;
  readonly agent?: Agent;
  readonly family?: Family;
};

export function oddWorld({ solve, agent, family, ...options }: OddOptions = {}): ReturnType<typeof toyWorld> {
  return toyWorld({
    folder: options.folder ?? temporaryFolder(),
    model: modelOf(() => 'yes'),
    agents: [agent ?? agentOf(solve ?? (async () => ({ end: 'gave-up' })))],
    families: [family ?? familyOf()],
    ...options,
  });
}

export function oddRun(more: Partial<RunSpec> = {}): RunSpec {
  return {
    id: 'run',
    family: 'odd',
    problem: {},
    agent: 'odd',
    models: { default: 'test/odd' },
    seed: 'a seed',
    ...more,
  };
}

/** `main#1.0 model-request`, and what became of settlements. */
export function outline(events: readonly Event[]): string[] {
  return events.map(({ branch, ordinal, attempt, kind, body }) => {
    const at = ordinal === null ? '' : `${branch || 'main'}#${ordinal}${attempt > 0 ? `.${attempt}` : ''} `;
    const status = 'status' in body ? ` ${body.status}` : '';
    const by = 'by' in body ? ` by ${body.by}` : '';
    return `${at}${kind}${status}${by}`;
  });
}
