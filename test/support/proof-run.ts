/** Runs of the agents that prove and grade, on a script that says its lines by role, branch and number. */
import { verifyLoop } from '../../src/agents/proof/verify-loop.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { Event, RunEnd } from '../../src/core/event.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Message, Model, ModelRequest } from '../../src/core/model.ts';
import { type ScriptCall, type ScriptSuccess, scriptedModel } from '../../src/models/scripted.ts';
import {
  type ProofNote,
  type ProofNoteData,
  type ProofNoteKind,
  proofNoteOf,
} from '../../src/notes/proof.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { familyOf, oddRun } from './odd.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { eventsOf, toyWorld } from './world.ts';

export const value = (object: Json): ScriptSuccess => ({ object });

export const proof = (text: string) =>
  `### Summary ###\n**Completeness:** complete.\n\nDone.\n\n### Detailed Solution ###\n\n${text}`;
/** A grader's object: with a finding it fails the proof, without one it passes it. */
export const report = (found = '', kind = 'justification-gap', quote = '') =>
  JSON.stringify({
    check: 'Step 1.',
    findings: found === '' ? [] : [{ kind, quote, explanation: found }],
    proved: 'Something.',
    verdict:
      found === '' ? 'complete' : ({ 'critical-error': 'error', 'proves-less': 'less' }[kind] ?? 'gaps'),
  });
/** What is said where a text is asked what it leaves open. */
export const open = (...quotes: readonly string[]) => value({ leftOpen: [...quotes] });
/** A reviewer's judgement of as many findings as it is asked about. */
export const judged =
  (holds: boolean, why = 'It was looked at.') =>
  ({ request }: ScriptCall) => {
    const asked = textIn(request.messages.at(-1)).match(/\\n\d+\. \*\*/g) ?? [];
    return value({ findings: asked.map((_, index) => ({ number: index + 1, why, holds })) });
  };

/** What a test says nothing of: a grader finds nothing, the text leaves nothing open, and no finding holds. */
const unsaid: Said = { grader: [report()], 'left-open': [open()], reviewer: judged(false) };

type Line =
  | string
  | ScriptSuccess
  | { readonly error: { readonly kind: 'bad-request' | 'network' | 'context-overflow' } };
/** The lines of a role, or of the question `left-open`, in each branch, the last one for ever; or what it says at each place. */
export type Said = Readonly<Record<string, readonly Line[] | ((call: ScriptCall) => Line)>>;

export type ProofRunOptions = {
  readonly said: Said;
  readonly agent?: Agent;
  readonly settings?: JsonObject;
  readonly limits?: JsonObject;
  readonly problem?: Parameters<typeof familyOf>[0];
  /** Called at each model call, before it is answered. */
  readonly onCall?: (call: ScriptCall) => void | Promise<void>;
};

export type Asked = { readonly role: string; readonly branch: string; readonly request: ModelRequest };

export type ProofRun = {
  readonly end: RunEnd;
  readonly events: readonly Event[];
  readonly asked: readonly Asked[];
  /** The conversations of one role. */
  of(role: string): readonly (readonly Message[])[];
  notes<Kind extends ProofNoteKind>(kind: Kind): readonly ProofNoteData<Kind>[];
};

/** To its end; a replay of it comes out the same, or this throws. */
export async function proofRun(options: ProofRunOptions): Promise<ProofRun> {
  const asked: Asked[] = [];
  const world = proofWorld(options, temporaryFolder(), (call) => asked.push(call));
  const handle = await startRun(world, specOf(options));
  const end = await handle.done;
  const events = await eventsOf(world, 'run');
  const replay = await replayRun(world, 'run');
  await world.store.close();
  if (end.outcome !== 'error' && !(replay.complete && replay.isSame))
    throw new Error('Replaying it came out differently.');
  const notes = events.map(proofNoteOf).filter((note): note is ProofNote => note !== null);
  return {
    end,
    events,
    asked,
    of: (role) => asked.filter((call) => call.role === role).map(({ request }) => request.messages),
    notes: <Kind extends ProofNoteKind>(kind: Kind) =>
      notes.flatMap((note) => (note.kind === kind ? [note.data as ProofNoteData<Kind>] : [])),
  };
}

export function specOf({ agent = verifyLoop, settings = {}, limits = {} }: ProofRunOptions) {
  return oddRun({ agent: agent.name, settings, limits, models: { default: 'scripted/lines' } });
}

export function proofWorld(
  { said, agent = verifyLoop, problem, onCall }: ProofRunOptions,
  folder: string,
  hear: (asked: Asked) => void = () => undefined,
) {
  const script = scriptedModel({
    id: 'scripted/lines',
    script: (call: ScriptCall) => {
      const { name } = call.request.output ?? {};
      const asked = name === 'left-open' ? name : call.role;
      const lines = said[asked] ?? unsaid[asked] ?? [];
      const line = typeof lines === 'function' ? lines(call) : lines[Math.min(call.index, lines.length - 1)];
      return typeof line === 'string' ? { text: line } : (line ?? { end: true, replies: lines.length });
    },
  });
  const model: Model = {
    ...script,
    async generate(request, call) {
      hear({ role: call.role, branch: call.branch, request });
      await onCall?.({ ...call, request });
      return script.generate(request, call);
    },
  };
  const statement = [{ type: 'text', text: 'Show that $2 + 2 = 4$.' }] as const;
  const family = familyOf({ ...problem, spec: { statement, brief: noCriteria, ...problem?.spec } });
  return toyWorld({ folder, model, agents: [agent], families: [family] });
}

const noCriteria = { task: '', answerFormat: '', criteria: '', environment: '' };

export const textIn = (message: Message | undefined) => JSON.stringify(message?.content ?? '');

export function answerText({ solution }: RunEnd): string {
  return solution?.answer?.type === 'text' ? solution.answer.text : '';
}
