/** Journals written by hand, for folds and histories: `line` numbers them and gives each a second. */
import type { Event, EventKind, Header } from '../../src/core/event.ts';

export const header: Header = {
  version: 1,
  runId: 'run',
  problem: {
    family: 'f',
    id: 'p',
    title: 'P',
    reference: {},
    contentHash: 'h',
    statement: [],
    brief: { task: '', answerFormat: '', criteria: '', environment: '' },
    stages: ['one', 'two'],
    detail: {},
  },
  agent: { name: 'a', settings: {} },
  prompts: {},
  promptsHash: '',
  models: {},
  limits: {},
  retry: { maxRetries: 0, firstWaitMs: 0, maxWaitMs: 0 },
  sandbox: null,
  codeVersion: '',
  seed: '',
};

export type Said = readonly [at: string, kind: EventKind, body?: unknown];

/** `at` is `branch#ordinal.attempt`, or a branch alone for what is no effect. Each event comes a second after the last. */
export function eventsOf(said: readonly Said[]): Event[] {
  return said.map(([at, kind, body = {}], index) => {
    const [branch = '', ordinal] = at.split('#');
    const [number, attempt = '0'] = ordinal?.split('.') ?? [];
    return {
      seq: index + 1,
      atMs: 1_000 * (index + 1),
      branch,
      ordinal: number === undefined ? null : Number(number),
      attempt: Number(attempt),
      kind,
      body,
    } as Event;
  });
}

export const ok = (result: unknown = {}, usage?: unknown): unknown => ({
  status: 'ok',
  result,
  ...(usage ? { usage } : {}),
});
export const cancelled = (by: string): unknown => ({ status: 'cancelled', by });
export const unavailable = { status: 'error', error: { name: 'x', message: 'gone', unavailable: true } };
export const tokens = (input: number, output: number, costUsd: number | null = null): unknown => ({
  tokens: { input, cachedInput: 0, output, reasoning: 0 },
  costUsd,
});
