/** The tool calls of a run, each with its result and the part it belongs to, from the run's events. Pure. */
import { z } from 'zod';
import { type Event, type EventOf, isSettlement } from '../../core/event.ts';
import { positionKey } from '../../core/history.ts';
import type { JsonObject } from '../../core/json.ts';

export type ToolStep = {
  /** 1, 2, 3 … in the order of the calls. */
  readonly number: number;
  readonly seq: number;
  readonly atMs: number;
  /** The stage that was open at the call; empty after the last one. */
  readonly stage: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly end: StepEnd;
};

type StepEnd =
  | ({ readonly status: 'ok'; readonly atMs: number } & Readonly<z.infer<typeof result>>)
  | { readonly status: 'error'; readonly atMs: number; readonly text: string; readonly unavailable: boolean }
  /** A limit left no room for it. */
  | { readonly status: 'refused'; readonly atMs: number }
  | { readonly status: 'cancelled'; readonly atMs: number }
  /** Not ended yet. */
  | { readonly status: 'open' };

export function toolStepsOf(events: readonly Event[]): ToolStep[] {
  const steps = new Map<string, ToolStep>();
  let stage = '';
  for (const event of events) {
    if (event.kind === 'run-start') stage = event.body.problem.stages[0] ?? '';
    else if (event.kind === 'stage-end') stage = '';
    else if (event.kind === 'stage-start') stage = event.body.stage;
    else if (event.kind === 'tool-call') begin(steps, event, stage);
    else if (event.kind === 'tool-result') settle(steps, event);
  }
  return [...steps.values()];
}

const call = z.object({
  name: z.string(),
  args: z.record(z.string(), z.json()).nullable().catch(null),
});

/** A call that a resume or a fork repeats keeps its place. */
function begin(steps: Map<string, ToolStep>, event: EventOf<'tool-call'>, stage: string): void {
  const key = positionKey(event);
  const { name, args } = call.parse(event.body);
  const { seq, atMs } = event;
  const number = steps.get(key)?.number ?? steps.size + 1;
  steps.set(key, { number, seq, atMs, stage, tool: name, args: args ?? {}, end: { status: 'open' } });
}

function settle(steps: Map<string, ToolStep>, event: EventOf<'tool-result'>): void {
  const key = positionKey(event);
  const step = steps.get(key);
  if (step) steps.set(key, { ...step, end: endOf(event) });
}

const result = z.object({
  text: z.string(),
  isError: z.boolean().default(false),
  data: z.record(z.string(), z.json()).default({}),
});

function endOf(event: EventOf<'tool-result'>): StepEnd {
  const { atMs, body } = event;
  if (!isSettlement(event) || body.status === 'refused' || body.status === 'cancelled') {
    return { status: body.status === 'refused' ? 'refused' : 'cancelled', atMs };
  }
  if (body.status === 'error') {
    const { message: text, unavailable = false } = body.error;
    return { status: 'error', atMs, text, unavailable };
  }
  return { status: 'ok', atMs, ...result.parse(body.result) };
}
