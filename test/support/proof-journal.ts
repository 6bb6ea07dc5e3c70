/** A journal of a proof as its agents write one, made by hand: whatever models may say, and never paid for. */

import { proofRecord } from '../../src/apps/proof/record.ts';
import type { Event, Header, RunEnd } from '../../src/core/event.ts';
import { foldRun } from '../../src/core/fold.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ProofNoteData, ProofNoteKind } from '../../src/notes/proof.ts';

export function note<Kind extends ProofNoteKind>(kind: Kind, data: ProofNoteData<Kind>): Event['body'] {
  return { kind, data: data as unknown as JsonObject, index: 0 };
}

export type JournalParts = {
  readonly statement?: string;
  readonly detail?: JsonObject;
  readonly agent?: string;
  readonly settings?: JsonObject;
  readonly notes: readonly Event['body'][];
  readonly end?: Partial<RunEnd> | null;
};

export function proofJournal({ notes, end = {}, ...parts }: JournalParts): Event[] {
  const last = { outcome: 'answered', solution: null, grade: null, aliveMs: 0, ...end };
  const bodies: [Event['kind'], unknown][] = [
    ['run-start', headerOf(parts)],
    ...notes.map((body, index): [Event['kind'], unknown] => ['note', { ...body, index }]),
    ...(end === null ? [] : [['run-end', last] as [Event['kind'], unknown]]),
  ];
  return bodies.map(
    ([kind, body], index) =>
      ({ seq: index + 1, atMs: 1_000, branch: '', ordinal: null, attempt: 0, kind, body }) as Event,
  );
}

/** As the commands have it. */
export function proofReport(parts: JournalParts) {
  const events = proofJournal(parts);
  const row = {
    id: 'run',
    createdAtMs: 0,
    parent: null,
    summary: { title: 'A title', problem: 'proof/x', agent: 'verify-loop' },
    owner: null,
    ended: parts.end !== null,
    lastSeq: events.length,
    heartbeatAtMs: null,
    lastAtMs: 1_000,
  };
  return { result: { row, view: foldRun(events), metrics: null }, record: proofRecord(events) };
}

function headerOf({
  statement = 'Show that $x^2 \\ge 0$.',
  detail = {},
  agent = 'verify-loop',
  settings = {},
}: Omit<JournalParts, 'notes' | 'end'>): Header {
  return {
    version: 1,
    runId: 'run',
    problem: {
      family: 'proof',
      id: 'proof/x',
      title: 'A title',
      reference: {},
      contentHash: 'x',
      stages: [],
      statement: [{ type: 'text', text: statement }],
      brief: { task: '', answerFormat: '', criteria: '', environment: '' },
      detail,
    },
    agent: { name: agent, settings },
    prompts: {},
    promptsHash: '',
    models: { default: { spec: 'scripted/x', kind: 'script', price: null } },
    limits: {},
    retry: { maxRetries: 0, firstWaitMs: 0, maxWaitMs: 0 },
    sandbox: null,
    codeVersion: '0',
    seed: 'x',
  };
}
