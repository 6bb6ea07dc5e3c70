/** Journals of sessions, written by hand: the notes of a search with what lies around them. */

import type { SessionFacts } from '../../../src/apps/ahc/session/context.ts';
import type { Event, Header } from '../../../src/core/event.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { ProgramEvaluation } from '../../../src/core/program.ts';
import type { CandidateNote, EvolutionNoteKind, EvolutionNotes } from '../../../src/notes/evolution.ts';

export const beganAtMs = Date.UTC(2026, 10, 21, 17, 0, 0);

export const facts: SessionFacts = {
  id: 'night_20261121T170000',
  name: 'night',
  contest: 'polya002',
  createdAtMs: beganAtMs,
  scoring: 'absolute',
  direction: 'maximise',
  workspacePath: 'workspace/polya002',
  base: '/home/me',
  problemFile: 'problem/problem.md',
  settings: {},
  configured: {},
  keepsFiles: true,
  maxLogBytes: 1e6,
  logsAreJson: false,
  store: '/home/me/.polya',
  configuration: { 'evolution.population_size': 2, 'llm.api_key': '***', options: { models: {} } },
  runs: ['r1'],
};

export const header: Header = {
  version: 1,
  runId: 'r1',
  problem: {
    family: 'ahc',
    id: 'ahc/polya002',
    title: 'Vans',
    reference: {},
    contentHash: 'h',
    statement: [],
    brief: { task: '', answerFormat: '', criteria: '', environment: '' },
    stages: [],
    detail: {},
  },
  agent: { name: 'evolution', settings: {} },
  prompts: {},
  promptsHash: '',
  models: { default: { spec: 'scripted/x', kind: 'script', price: null } },
  limits: {},
  retry: { maxRetries: 0, firstWaitMs: 1, maxWaitMs: 1 },
  sandbox: null,
  codeVersion: '1',
  seed: 's',
};

type Line = Pick<Event, 'kind' | 'body'> & { readonly branch?: string; readonly ordinal?: number | null };

/** Numbers and times, one a second. */
export function journal(lines: readonly Line[]): readonly Event[] {
  return lines.map(
    ({ branch = '', ordinal = null, ...rest }, index) =>
      ({ seq: index + 1, atMs: beganAtMs + index * 1000, branch, ordinal, attempt: 0, ...rest }) as Event,
  );
}

export function note<K extends EvolutionNoteKind>(kind: K, data: EvolutionNotes[K], branch = ''): Line {
  return { kind: 'note', branch, body: { kind, data: data as unknown as JsonObject, index: 0 } };
}

export const start: Line = { kind: 'run-start', body: header };

export function evaluation(scores: readonly (number | null)[]): ProgramEvaluation {
  return {
    compiled: true,
    message: '',
    backend: 'toy',
    cases: scores.map((score, index) => ({
      name: `000${index}`,
      verdict: score === null ? 'TLE' : 'AC',
      score,
      cpuMs: 100 + index,
      wallMs: 100,
      memoryBytes: 1,
      message: '',
      features: {},
    })),
  };
}

export function candidate(
  generation: number,
  number: number,
  more: Partial<CandidateNote> = {},
): CandidateNote {
  const two = (part: number): string => String(part).padStart(2, '0');
  return {
    id: `gen${two(generation)}_id${two(number)}`,
    generation,
    number,
    island: 1,
    parents: [],
    operator: 'change',
    summary: 'goes further',
    source: `int main() { return ${generation * 100 + number}; }\n`,
    status: 'evaluated',
    detail: '',
    evaluation: evaluation([10, 20]),
    score: 15,
    parameters: { temperature: 0.3 },
    hints: [],
    tokens: { input: 100, output: 20 },
    calls: 1,
    ...more,
  };
}

/** A whole small session: a first program, a better one, one that does not compile, one that was cut. */
export const small = journal([
  start,
  note('setting', {
    islands: 1,
    populationSize: 2,
    maxGenerations: 2,
    timeLimitSeconds: 60,
    plateauGenerations: 0,
    cases: 2,
  }),
  note('analysis', { analysis: { title: 'Vans', constraints: { K: { max: 'N' } } }, origin: 'model' }),
  note('strategies', {
    strategies: [{ name: 'Annealing', idea: 'swap', reasons: 'smooth', library: [], contests: [] }],
    origin: 'model',
  }),
  note('doing', { island: 1, what: 'asks the model for a first program' }, 'island-1'),
  {
    kind: 'model-request',
    branch: 'island-1',
    ordinal: 1,
    body: {
      role: 'solver',
      model: 'scripted/x',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Solve it.\nKey sk-secret-12345' },
            { type: 'image', mediaType: 'image/png', data: '' },
          ],
        },
      ],
    },
  },
  {
    kind: 'model-response',
    branch: 'island-1',
    ordinal: 1,
    body: {
      status: 'ok',
      result: {
        message: {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'here' },
            { type: 'tool-call', id: '1', name: 'look', args: { a: 1 } },
          ],
        },
      },
      usage: { tokens: { input: 100, cachedInput: 0, output: 20, reasoning: 0 }, costUsd: 0.5 },
    },
  },
  note('candidate', candidate(0, 1, { operator: 'initial' })),
  note('best', { id: 'gen00_id01', generation: 0, score: 15, because: 'first' }),
  note('generation', { generation: 0, best: 'gen00_id01', score: 15 }),
  note(
    'candidate',
    candidate(1, 1, { parents: ['gen00_id01'], evaluation: evaluation([20, 25]), score: 22.5 }),
  ),
  note('best', { id: 'gen01_id01', generation: 1, score: 22.5, because: 'better' }),
  note(
    'candidate',
    candidate(1, 2, {
      parents: ['gen00_id01'],
      status: 'compile-error',
      evaluation: null,
      score: null,
      detail: "main.cpp:1: expected ';'",
    }),
  ),
  note('hint', { number: 1, text: 'try beams' }),
  note(
    'candidate',
    candidate(2, 1, { parents: ['gen01_id01'], status: 'cut', evaluation: evaluation([3]), score: null }),
  ),
  note('more-cases', {
    id: 'gen01_id01',
    evaluation: {
      ...evaluation([null]),
      cases: evaluation([null]).cases.map((each) => ({ ...each, name: 'seed7' })),
    },
    why: 'final',
  }),
  note('migration', { id: 'gen01_id01', from: 1, to: 2 }),
  note('search-over', { generation: 2, because: 'all begun' }),
  note('final', { chosen: 'gen00_id01', cases: 2, standings: [], because: 'better on what nobody saw' }),
  {
    kind: 'run-end',
    body: { outcome: 'scored', solution: null, grade: null, aliveMs: 20_000 },
  },
]);
