/** What a session has on disk is a pure function of its journal: its names, its documents, its log, and what is kept. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { courseOfBest } from '../../../src/apps/ahc/session/course.ts';
import { resultsRow, sessionDocument, sessionFiles, statusOf } from '../../../src/apps/ahc/session/files.ts';
import { applySession, busyNow, emptySession, foldSession } from '../../../src/apps/ahc/session/fold.ts';
import { wantedOutputs, withinBound, withResult } from '../../../src/apps/ahc/session/folder.ts';
import { isAfter, lastMark, lineJson, lineText, logLine } from '../../../src/apps/ahc/session/log.ts';
import { plainNumber, scoreName } from '../../../src/apps/ahc/session/names.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { CandidateNote } from '../../../src/notes/evolution.ts';
import { candidate, evaluation, facts, journal, note, small, start } from './journals.ts';

const state = foldSession(small);
const files: Readonly<Record<string, string>> = sessionFiles(state, facts, { isAlive: false });
const json = (name: string) => JSON.parse(files[name] ?? 'null');

describe('the files of a small session', () => {
  test('have the names of the specification', () => {
    expect(Object.keys(files).toSorted()).toEqual([
      'analysis.json',
      'best_solution.cpp',
      ...['gen00_id01', 'gen01_id01', 'gen01_id02', 'gen02_id01'].map((id) => `candidates/${id}.json`),
      'knowledge.json',
      ...['gen00_id01', 'gen01_id01', 'gen01_id02', 'gen02_id01'].map((id) => `logs/compile_${id}.log`),
      'scores/gen00_id01/0000.score',
      'scores/gen00_id01/0001.score',
      'scores/gen01_id01/0000.score',
      'scores/gen01_id01/0001.score',
      'scores/gen01_id01/seed7.score',
      'scores/gen02_id01/0000.score',
      'session.json',
      'solutions/gen00_id01_score15.cpp',
      'solutions/gen01_id01_score22.5.cpp',
      'solutions/gen01_id02_scoreCE.cpp',
      'solutions/gen02_id01_scoreNA.cpp',
      'strategies.json',
    ]);
  });

  test('tell the session as §8.4 has it', () => {
    expect(json('session.json')).toMatchObject({
      session_id: 'night_20261121T170000',
      competition_id: 'polya002',
      start_time: '2026-11-21T17:00:00.000Z',
      end_time: '2026-11-21T17:00:19.000Z',
      status: 'completed',
      problem_file_path: 'workspace/polya002/problem/problem.md',
      paths_relative_to: '/home/me',
      current_generation: 2,
      best_score_history: [
        { generation: 0, score: 15, individual_id: 'gen00_id01' },
        { generation: 1, score: 22.5, individual_id: 'gen01_id01' },
      ],
      // As it was chosen at the end.
      final_best_individual_id: 'gen00_id01',
      total_llm_tokens_used: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      estimated_llm_cost_usd: 0.5,
      error_message: null,
    });
    expect(files['best_solution.cpp']).toBe('int main() { return 1; }\n');
    expect(json('analysis.json')).toMatchObject({
      constraints: { K: { max: 'N' } },
      raw_problem_text_path: 'workspace/polya002/problem/problem.md',
    });
  });

  test('tell a candidate as §8.3 has it, with cases of later apart from those of the search', () => {
    expect(json('candidates/gen01_id01.json')).toMatchObject({
      id: 'gen01_id01',
      parent_ids: ['gen00_id01'],
      creation_method: 'change',
      source_code_path: 'workspace/polya002/night/solutions/gen01_id01_score22.5.cpp',
      compilation_status: 'success',
      compilation_log_path: 'workspace/polya002/night/logs/compile_gen01_id01.log',
      evaluation_scores: { '0000': 20, '0001': 25 },
      average_score: 22.5,
      total_score: 45,
      execution_time_avg_ms: 100.5,
      evaluation_status: 'completed',
      later_evaluations: [{ reason: 'final', evaluation_scores: { seed7: null }, verdicts: { TLE: 1 } }],
    });
    expect(json('candidates/gen01_id02.json')).toMatchObject({
      compilation_status: 'failed',
      average_score: null,
      total_score: null,
      execution_time_avg_ms: null,
    });
    expect(files['logs/compile_gen01_id02.log']).toBe("gen01_id02: failed\n\nmain.cpp:1: expected ';'\n");
    expect(json('candidates/gen02_id01.json')).toMatchObject({
      evaluation_status: 'cut',
      evaluation_scores: { '0000': 3 },
      average_score: null,
      total_score: null,
    });
    expect([files['scores/gen01_id01/0001.score'], files['scores/gen01_id01/seed7.score']]).toEqual([
      '25\n',
      'TLE\n',
    ]);
  });

  test('one call that was cut off makes no total of what is known, which stands beside it', () => {
    const request = (ordinal: number) => ({ kind: 'model-request' as const, ordinal, body: {} });
    const response = (ordinal: number, usage: JsonObject) => ({
      kind: 'model-response' as const,
      ordinal,
      body: { status: 'ok', result: null, usage },
    });
    const told = { tokens: { input: 100, cachedInput: 0, output: 20, reasoning: 0 }, costUsd: 0.5 };
    const cut = { tokens: null, costUsd: null };
    const lines = [start, request(1), response(1, told), request(2), response(2, cut)] as const;
    const known = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    const state = foldSession(journal(lines as never));
    expect(sessionDocument(state, facts, 'running')).toMatchObject({
      total_llm_tokens_used: { total_tokens: null },
      known_llm_tokens_used: known,
      estimated_llm_cost_usd: null,
      known_llm_cost_usd: 0.5,
      llm_calls: 2,
      llm_calls_of_unknown_tokens: 1,
      llm_calls_of_unknown_cost: 1,
    });
    const [parameters = '', tokens, cost] = resultsRow(state, facts, 'running').slice(5);
    expect([JSON.parse(parameters), tokens, cost]).toMatchObject([
      { known_tokens: 120, known_cost_usd: 0.5 },
      '',
      '',
    ]);
    const whole = foldSession(journal(lines.slice(0, 3) as never));
    expect(sessionDocument(whole, facts, 'running')).toMatchObject({
      total_llm_tokens_used: known,
      known_llm_tokens_used: known,
      llm_calls_of_unknown_tokens: 0,
    });
    expect(resultsRow(whole, facts, 'running')[5]).not.toContain('known');
  });

  test('what nobody knows is null, and a fatal error is told', () => {
    const unknown = journal([
      start,
      { kind: 'model-request', ordinal: 1, body: {} },
      {
        kind: 'model-response',
        ordinal: 1,
        body: { status: 'ok', result: null, usage: { tokens: null, costUsd: null } },
      },
      {
        kind: 'run-end',
        body: {
          outcome: 'error',
          solution: null,
          grade: null,
          aliveMs: 1,
          error: { name: 'E', message: 'no luck', stack: 'at x' },
        },
      },
    ]);
    const failed = foldSession(unknown);
    expect(sessionDocument(failed, facts, 'failed')).toMatchObject({
      status: 'failed',
      error_message: 'no luck',
      estimated_llm_cost_usd: null,
      total_llm_tokens_used: { prompt_tokens: null, completion_tokens: null, total_tokens: null },
    });
    expect(resultsRow(failed, facts, 'failed').slice(3)).toEqual([
      '',
      '0',
      expect.stringContaining('"status":"failed"'),
      '',
      '',
    ]);
    expect(sessionDocument(foldSession(unknown.slice(0, 2)), facts, 'crashed')).toMatchObject({
      status: 'crashed',
      error_message: expect.stringContaining('solve --session-id goes on with it'),
      end_time: expect.any(String),
    });
    const last = unknown.at(-1);
    if (last)
      expect(lineText(logLine(failed, failed, last))).toMatch(
        / CRITICAL 1\.4 .*run-end: error: no luck\n {4}at x\n$/,
      );
  });
});

describe('names and numbers', () => {
  test.each<[Partial<CandidateNote>, 'absolute' | 'relative', string]>([
    [{ score: 12345 }, 'absolute', '12345'],
    [{ score: 12672.5 }, 'absolute', '12672.5'],
    [{ score: 1 / 3 }, 'absolute', '0.333333'],
    [{ score: 5e21 }, 'absolute', '5000000000000000000000'],
    [{ score: -0 }, 'absolute', '0'],
    [{ score: 0.987654321 }, 'relative', '987654321'],
    [{ score: null, status: 'cut' }, 'absolute', 'NA'],
    [{ score: null, status: 'duplicate' }, 'relative', 'NA'],
    [{ score: null, status: 'compile-error' }, 'absolute', 'CE'],
  ])('%j, %s: %s', (more, scoring, name) => {
    expect(scoreName(candidate(1, 1, more), scoring)).toBe(name);
  });

  test('no score is written with an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }), (value) => {
        expect(plainNumber(value)).toMatch(/^-?\d+(\.\d{1,6})?$/);
      }),
      { seed: 1 },
    );
  });

  test.each([
    [true, null, 'running'],
    [false, null, 'crashed'],
    [false, 'cancelled', 'stopped'],
    [false, 'scored', 'completed'],
    [false, 'limit', 'completed'],
    [false, 'error', 'failed'],
    [false, 'refused', 'failed'],
  ] as const)('owned %s, end %s: %s', (isOwned, outcome, status) => {
    expect(statusOf(isOwned, outcome === null ? null : { outcome })).toBe(status);
  });
});

test('relative scores of an hour ago are told by what is known now', () => {
  const relative = { ...facts, scoring: 'relative' as const, direction: 'minimise' as const };
  const whole = foldSession(
    journal([
      start,
      note('candidate', candidate(0, 1, { evaluation: evaluation([100, 200]), score: 1 })),
      note('best', { id: 'gen00_id01', generation: 0, score: 1, because: '' }),
      note('candidate', candidate(1, 1, { evaluation: evaluation([50, 200]), score: 1 })),
      note('best', { id: 'gen01_id01', generation: 1, score: 1, because: '' }),
    ]),
  );
  expect(courseOfBest(whole, relative).map(({ value }) => value)).toEqual([750_000_000, 1_000_000_000]);
});

describe('the log', () => {
  const told = small.map((event, index) => {
    const before = foldSession(small.slice(0, index));
    return logLine(before, applySession(before, event), event);
  });

  test('has every prompt and reply in full, and how long it took', () => {
    const text = told.map(lineText).join('');
    expect(text).toContain(
      '2026-11-21T17:00:05.000Z DEBUG 1.6 island-1#1 model-request: solver scripted/x\n    --- system\n    Be brief.\n    --- user\n    Solve it.\n    Key sk-secret-12345\n    (an image, image/png)\n',
    );
    expect(text).toContain(
      'model-response: ok, 100 tokens in, 20 out, 0.5 USD (1.000 s)\n    (thinks) hm\n    here\n    (calls look {"a":1})\n',
    );
    expect(text).toMatch(/ INFO 1\.8 .*candidate gen00_id01: initial, evaluated, score 15/);
    expect(told.map(({ level }) => level)).not.toContain('ERROR');
  });

  test('knows its own last line again in both forms, so that nothing is written twice', () => {
    for (const form of [lineText, lineJson]) {
      const log = told.slice(0, 9).map(form).join('');
      expect(lastMark(log)).toEqual([1, 9]);
      expect(told.filter(({ mark }) => isAfter(mark, lastMark(log)))).toHaveLength(small.length - 9);
    }
    expect(lastMark('')).toBeNull();
    expect([isAfter('2.3', [1, 9]), isAfter('1.9', [1, 9]), isAfter('1.1', null)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('tells what was refused, broken off and failed', () => {
    const bodies = [
      { status: 'refused', limit: 'costUsd', max: 1 },
      { status: 'cancelled', by: 'end' },
      { status: 'error', error: { name: 'Network', message: 'gone' } },
    ] as const;
    const lines = bodies.map((body) => {
      const [event] = journal([{ kind: 'evaluate-end', ordinal: 1, body }]);
      if (!event) throw new Error('There is one.');
      return lineText(logLine(emptySession, emptySession, event));
    });
    expect(lines.join('')).toMatch(
      /WARNING .*refused, the limit on costUsd[\s\S]*WARNING .*broken off by end[\s\S]*WARNING .*Network: gone/,
    );
  });
});

test('settings that were sent hold in what is shown from then on', () => {
  const changed = note('changed', { settings: { maxGenerations: 9, operators: { change: 1 } } });
  const told = foldSession(
    journal([
      start,
      note('setting', {
        islands: 1,
        populationSize: 2,
        maxGenerations: 2,
        timeLimitSeconds: 60,
        plateauGenerations: 0,
        cases: 2,
      }),
      changed,
    ]),
  );
  expect(told.setting).toEqual({
    islands: 1,
    populationSize: 2,
    maxGenerations: 9,
    timeLimitSeconds: 60,
    plateauGenerations: 0,
    cases: 2,
  });
});

test('what is being done is told while it is done', () => {
  const asking = foldSession(small.slice(0, 6));
  expect(busyNow(asking).map(({ what }) => what)).toEqual(['asks the model for a first program']);
  expect(busyNow(foldSession(small.slice(0, 7)))).toEqual([]);
  // After a kill nothing was told until something new began.
  const again = foldSession(journal([{ kind: 'run-resume', body: { aliveMs: 5 } }]), asking);
  expect(busyNow(again).map(({ what }) => what)).toEqual(['asks the model for a first program']);
});

test('what a branch said before it handed its work on is not told as what is done now', () => {
  const told = foldSession(
    journal([
      start,
      note('doing', { island: 0, what: 'evaluates gen00_id01' }),
      note('doing', { island: 1, what: 'evaluates gen00_id02' }, 'island-1'),
      note('doing', { island: 1, what: 'asks for a change' }, 'island-1/line-1'),
      note('doing', { island: 10, what: 'asks for a first program' }, 'island-10'),
      ...['island-1/line-1/gen01_id01', 'island-10'].map((branch) => ({
        kind: 'model-request' as const,
        branch,
        ordinal: 1,
        body: { role: 'solver', model: 'scripted/x', messages: [] },
      })),
    ]),
  );
  expect(busyNow(told).map(({ what }) => what)).toEqual(['asks for a change', 'asks for a first program']);
});

test('a line whose call failed, and is made again after a while, is told with why', () => {
  const request = (attempt: number) => ({
    kind: 'model-request' as const,
    branch: 'island-1/line-1/gen01_id01',
    ordinal: 1,
    attempt,
    body: { role: 'solver', model: 'scripted/x', messages: [] },
  });
  const failure = (retryable: boolean) => ({
    kind: 'model-response' as const,
    branch: 'island-1/line-1/gen01_id01',
    ordinal: 1,
    body: {
      status: 'error' as const,
      error: { name: 'network', message: 'refused', model: { kind: 'network' as const, retryable } },
    },
  });
  const asks = note('doing', { island: 1, what: 'asks for a change' }, 'island-1/line-1');
  const lines = [start, asks, request(0), failure(true)];
  // Nothing was told of it, as if nobody were at work.
  expect(busyNow(foldSession(journal(lines)))).toMatchObject([
    { island: 1, what: 'asks for a change; the call failed and is made again: network: refused' },
  ]);
  expect(busyNow(foldSession(journal([start, asks, request(0), failure(false)])))).toEqual([]);
  const again = foldSession(journal([...lines, request(1)]));
  expect(again.failing).toEqual([]);
  expect(busyNow(again)).toMatchObject([{ what: 'asks for a change' }]);
});

describe('results.csv', () => {
  const row = resultsRow(state, facts, 'completed');

  test('gets one line a session, quoted, and keeps what others wrote', () => {
    const first = withResult('', row);
    expect(first.split('\n')[0]).toBe(
      'session,started_at,ended_at,best_score,final_generation,parameters,total_tokens,estimated_cost_usd',
    );
    expect(first).toMatch(
      /^night,2026-11-21T17:00:00.000Z,2026-11-21T17:00:19.000Z,15,2,"\{""status"":""completed""/m,
    );
    const mine = `${first}mine,"a, ""b""\nc",3\n`;
    const other = ['day', ...row.slice(1)];
    const both = withResult(withResult(mine, other), ['night', row[1] ?? '', 'later']);
    expect(both).toContain('mine,"a, ""b""\nc",3\n');
    expect(both).toContain('night,2026-11-21T17:00:00.000Z,later\n');
    expect(both.match(/^night,/gm)).toHaveLength(1);
  });

  test('a file that is no CSV any more loses nothing', () => {
    expect(withResult('a,"b\nc\n', ['x', 'y'])).toBe('a,"b\nc\nx,y\n');
  });

  test('whatever lines are added and changed, each session has its last one', () => {
    const lines = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.string()), { maxLength: 12 });
    fc.assert(
      fc.property(lines, (written) => {
        const text = written.reduce((before, [name, value]) => withResult(before, [name, 't', value]), '');
        const again = written.at(-1)
          ? withResult(text, [written.at(-1)?.[0] ?? '', 't', written.at(-1)?.[1] ?? ''])
          : text;
        expect(again).toBe(text);
      }),
      { seed: 3 },
    );
  });
});

test('outputs are kept of the best and of the newest, within a bound', () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    note('candidate', candidate(1, index + 1, { score: index % 17 })),
  );
  const wanted = wantedOutputs(foldSession(journal([start, ...many])), facts);
  expect(wanted[0]).toBe('gen01_id17');
  expect(wanted).toContain('gen01_id40');
  expect(wanted.length).toBeLessThanOrEqual(20);
  expect(wantedOutputs(foldSession(journal([start, ...many])), { ...facts, direction: 'minimise' })[0]).toBe(
    'gen01_id01',
  );
  expect([...withinBound(['a', 'b', 'c'], (id) => (id === 'b' ? 90 : 20), 60)]).toEqual(['a', 'c']);
});
