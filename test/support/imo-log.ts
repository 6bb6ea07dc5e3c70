/**
 * The logs of the published IMO 2025 agent: what is in them, a model that answers with them, and the decisions that they
 * show. Nothing here knows a file by its name, or a failed call by anything but its missing event.
 */
import { verifyLoop } from '../../src/agents/proof/verify-loop.ts';
import type { Event } from '../../src/core/event.ts';
import type { Model, ModelReply } from '../../src/core/model.ts';
import { proofNoteOf } from '../../src/notes/proof.ts';
import { startRun } from '../../src/run/start.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { toyRun } from './toy-run.ts';
import { eventsOf, toyWorld } from './world.ts';

export type LogLine =
  | { event: 'run_start'; run: number }
  | {
      event: 'first_solution' | 'corrected_solution' | 'verification' | 'verdict' | 'bug_report';
      text: string;
    }
  | { event: 'counters'; iteration: number; corrects: number; errors: number }
  | { event: 'end'; lines: readonly string[] };

export function linesOf(text: string): readonly LogLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** What a loop decided: its counters at the start of each iteration, its reports, where it began anew, its end. */
export function decisionsIn(lines: readonly LogLine[]): string[] {
  return lines.flatMap((line) => {
    if (line.event === 'run_start') return ['attempt'];
    if (line.event === 'counters')
      return [`${line.iteration}: ${line.corrects} passes, ${line.errors} failures`];
    if (line.event === 'bug_report') return [`report: ${line.text.trim()}`];
    if (line.event === 'end') return [isAccepted(line.lines) ? 'accepted' : 'given up'];
    return [];
  });
}

/** "Failed in finding a correct solution" speaks of one too. */
function isAccepted(lines: readonly string[]): boolean {
  return lines.some(
    (said) => /correct solution found|found a correct solution/i.test(said) && !/fail/i.test(said),
  );
}

/** The decisions of our loop, fed what the log holds, reply by reply; of a log without an end, as far as it goes. */
export async function decisionsOnReplaying(lines: readonly LogLine[]): Promise<string[]> {
  const { model, hear } = feed(lines);
  const world = toyWorld({ folder: temporaryFolder(), model, agents: [verifyLoop] });
  const settings = {
    attempts: Math.max(1, lines.filter(({ event }) => event === 'run_start').length),
    judging: 'published',
    reportFrom: cutsFromSummary(lines) ? 'summary' : 'start',
  };
  const { solution } = await (
    await startRun(world, { ...toyRun('verify-loop'), settings }, { onEvent: hear })
  ).done;
  const decided = (await eventsOf(world, 'run')).flatMap(decisionIn);
  await world.store.close();
  if (!lines.some(({ event }) => event === 'end')) return decided.slice(0, decisionsIn(lines).length);
  return [...decided, solution?.end === 'answered' ? 'accepted' : 'given up'];
}

function decisionIn(event: Event): string[] {
  const note = proofNoteOf(event);
  if (note?.kind === 'attempt-start') return ['attempt'];
  if (note?.kind === 'counters') {
    const { iteration, passes, failures } = note.data;
    return [`${iteration}: ${passes} passes, ${failures} failures`];
  }
  return note?.kind === 'verification' ? [`report: ${note.data.bugReport.trim()}`] : [];
}

/** Where the log has an empty report after a no, its program cut reports from the Summary heading on. */
function cutsFromSummary(lines: readonly LogLine[]): boolean {
  let verdict = '';
  for (const line of lines) {
    if (line.event === 'verdict') verdict = line.text;
    if (line.event === 'bug_report' && line.text === '' && !/yes/i.test(verdict)) return true;
  }
  return false;
}

const asked: Readonly<Record<string, readonly LogLine['event'][]>> = {
  solver: ['first_solution', 'corrected_solution'],
  grader: ['verification'],
  judge: ['verdict'],
};

/** Hands out the replies in order. What is asked for and is not the next reply of the log had failed. */
function feed(lines: readonly LogLine[]): { model: Model; hear(event: Event): void } {
  let at = 0;
  const pass = (event: LogLine['event']) => {
    if (lines[at]?.event === 'bug_report') at += 1;
    if (lines[at]?.event === event) at += 1;
  };
  const next = (role: string): string | null => {
    if (lines[at]?.event === 'bug_report') at += 1;
    const line = lines[at];
    if (!line || !('text' in line) || !asked[role]?.includes(line.event)) return null;
    at += 1;
    return line.text;
  };
  const model: Model = {
    id: 'test/imo25',
    kind: 'script',
    takes: { images: false, tools: false },
    price: { inputUsdPerMillion: 0, cachedInputUsdPerMillion: 0, outputUsdPerMillion: 0 },
    generate: async (_request, { role }): Promise<ModelReply> => replyOf(next(role)),
  };
  const hear = (event: Event): void => {
    const note = proofNoteOf(event);
    if (note?.kind === 'attempt-start') pass('run_start');
    if (note?.kind === 'counters') pass('counters');
  };
  return { model, hear };
}

function replyOf(text: string | null): ModelReply {
  if (text === null) {
    const error = { kind: 'other', message: 'The log has no reply here.', retryable: false } as const;
    return { ok: false, error, usage: null };
  }
  const tokens = { input: 1, cachedInput: 0, output: 1, reasoning: 0 };
  const message = { role: 'assistant', content: [{ type: 'text', text }] } as const;
  return { ok: true, message, finish: 'stop', usage: { tokens, costUsd: 0 } };
}
