/** Notes of the evolution of programs, and of a search for constants, as lines for people: each kind has one. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { describeEvent } from '../../src/notes/event-line.ts';
import {
  type CandidateNote,
  candidateStatuses,
  type EvolutionNoteKind,
  type EvolutionNotes,
  evolutionNoteShapes,
} from '../../src/notes/evolution.ts';
import {
  foldTuning,
  type TuningNoteKind,
  type TuningNotes,
  tuningNoteShapes,
} from '../../src/notes/tuning.ts';

const long = 'Something long. '.repeat(100);
const evaluation = { compiled: true, message: '', cases: [], backend: 'none' };

const candidate: CandidateNote = {
  id: 'gen01_id02',
  generation: 1,
  number: 2,
  island: 1,
  parents: ['gen00_id01'],
  operator: 'change',
  ...{
    summary: 'tries it',
    source: 'int main() {}',
    status: 'evaluated',
    detail: '',
    evaluation,
    score: 12_345.5,
  },
  parameters: {},
  hints: [],
  tokens: { input: 1, output: null },
  calls: 1,
};

const evolution: { readonly [Kind in EvolutionNoteKind]: readonly [EvolutionNotes[Kind], RegExp] } = {
  setting: [
    {
      islands: 2,
      beginnings: 3,
      populationSize: 10,
      maxGenerations: 3,
      timeLimitSeconds: 9,
      plateauGenerations: 5,
      cases: 30,
    },
    /2 islands for the best of 3 beginnings: 3 generations of 10, on 30 cases/,
  ],
  analysis: [
    { analysis: { title: 'Lanterns' }, origin: 'corrected' },
    /analysis: Lanterns \(after one correction\)/,
  ],
  strategies: [
    {
      strategies: [{ name: 'Beam', idea: long, reasons: long, library: [], contests: [] }],
      origin: 'fallback',
    },
    /strategies: Beam \(no reply could be used\)/,
  ],
  doing: [{ island: 1, what: 'asks' }, /^\(now: asks\)$/],
  waited: [{ ms: 65_000 }, /you were waited for, 1 min 05 s in all/],
  candidate: [candidate, /gen01_id02, change of gen00_id01: score 12350 \(tries it\)/],
  'more-cases': [
    { id: 'gen01_id02', evaluation, why: 'final' },
    /gen01_id02 ran on 0 more cases for the final choice/,
  ],
  best: [{ id: 'gen01_id02', generation: 1, score: 5, because: 'it is' }, /BEST gen01_id02, score 5: it is/],
  generation: [{ generation: 1, best: null, score: null }, /generation 1 is over: nothing works yet/],
  migration: [{ id: 'gen01_id02', from: 1, to: 2 }, /gen01_id02 goes from island 1 to island 2/],
  trial: [{ kept: [2], ended: [1, 3] }, /of 3 beginnings island 2 goes on; islands 1 and 3 end with their/],
  hint: [{ number: 1, text: 'Beam.' }, /hint 1: Beam\./],
  heard: [
    { key: 'k', text: 'Beam.', became: 'hint', by: 'default', hint: 1, reply: 'Taken as hint 1.' },
    /heard: Beam\. Taken as hint 1\./,
  ],
  answer: [{ question: 'Why?', text: 'So.' }, /asked: Why\? Answered: So\./],
  rejected: [{ settings: { a: 1 }, because: 'unknown' }, /cannot hold: unknown/],
  changed: [{ settings: { maxGenerations: 9 } }, /from here on: \{"maxGenerations":9\}/],
  'search-over': [{ generation: 1, because: 'Time.' }, /the search is over: Time\./],
  final: [
    {
      chosen: 'gen01_id02',
      cases: 50,
      because: 'the best mean',
      standings: [{ id: 'gen01_id02', mean: 7, gain: 12.5, low: 3, high: 20 }],
    },
    /held-out cases: gen01_id02, the best mean; 12\.5 a case better than the first program, 95 % interval 3 to 20/,
  ],
};

const gain = { cases: 50, rescued: 0, mean: 12.3, low: 4, high: 20, p: 0.0001, verdict: 'better' as const };
const constant = {
  name: 'START',
  line: 3,
  isInteger: false,
  value: 120,
  low: 10,
  high: 1000,
  scale: 'log' as const,
  origin: 'marked' as const,
};

const tuning: { readonly [Kind in TuningNoteKind]: readonly [TuningNotes[Kind], RegExp] } = {
  search: [
    { constants: [constant], unit: 'score', evaluations: 150, cases: 30, unseen: 50, areFresh: true },
    /tunes START = 120: 30 cases, at most 150 evaluations, then 50 new cases/,
  ],
  trial: [
    {
      number: 7,
      values: { START: 99.5 },
      cases: 8,
      gain: -3.25,
      unit: 'score',
      fate: 'dropped',
      evaluations: 12,
    },
    /trial 7 8 cases -3\.25 a case dropped 12 evaluations START 99\.5/,
  ],
  tuned: [
    { values: { START: 99.5 }, trials: 9, evaluations: 20, gain, unit: 'score', because: 'The time was up.' },
    /The time was up\. 9 trials\. On unseen cases: \+12\.3 a case, 95 % interval \+4 to \+20 over 50 cases, p < 0\.001: better/,
  ],
};

function noteOf(kind: string, data: object): Event {
  return {
    seq: 1,
    atMs: 0,
    branch: '',
    ordinal: null,
    attempt: 0,
    kind: 'note',
    body: { kind, data: data as JsonObject, index: 0 },
  };
}

const lineOf = (kind: string, data: object): string => {
  const { text, isQuiet } = describeEvent(noteOf(kind, data), { agent: { name: 'evolution', settings: {} } });
  return isQuiet ? `(${text})` : text;
};

describe('a line for a note', () => {
  test.each(Object.keys(evolutionNoteShapes) as EvolutionNoteKind[])('%s', (kind) => {
    const [data, line] = evolution[kind];
    expect(lineOf(kind, data)).toMatch(line);
    expect(lineOf(kind, data).length).toBeLessThan(200);
  });

  test.each(Object.keys(tuningNoteShapes) as TuningNoteKind[])('%s of a tuning', (kind) => {
    const [data, line] = tuning[kind];
    expect(lineOf(kind, data)).toMatch(line);
  });

  test('tells a gain of shares as one, in a contest whose scores are relative', () => {
    const standings = [{ id: 'gen01_id02', mean: 3.7, gain: 0.6918, low: 0.65, high: -0.01 }];
    const chosen = { chosen: 'gen01_id02', cases: 10, unit: 'share' as const, standings, because: 'so' };
    expect(lineOf('final', chosen)).toMatch(
      /so; 69\.18 % of the best known a case better than the first program, 95 % interval 65\.00 % to -1\.00 %/,
    );
  });

  test('tells what became of a candidate, whatever it was', () => {
    const detail = `the reason\n${long}`;
    const told = candidateStatuses.map((status) =>
      lineOf('candidate', { ...candidate, status, detail, summary: '' }),
    );
    expect(told.map((each) => each.replace(/^gen01_id02, change of gen00_id01: /, ''))).toEqual([
      'score 12350',
      'dropped after 0 cases',
      'fails: the reason',
      'does not compile: the reason',
      'not judged: the reason',
      'not evaluated: the reason',
      'no program came of it: the reason',
      'not answered: the reason',
    ]);
  });

  test('tells of a tuning that found nothing, in shares too', () => {
    const [tuned] = tuning.tuned;
    expect(lineOf('tuned', { ...tuned, gain: null })).toContain('No values were ahead');
    const noise = { ...gain, mean: null, low: null, high: null, p: null, rescued: 2, verdict: 'better' };
    expect(lineOf('tuned', { ...tuned, gain: noise })).toContain(
      'no case that both solve; +2 cases solved: better',
    );
  });
});

test('notes of other agents under these names are none of a tuning', () => {
  const view = foldTuning([
    noteOf('search', { words: 'of another agent' }),
    noteOf('trial', tuning.trial[0]),
  ]);
  expect(view).toMatchObject({ search: null, trials: [{ number: 7 }], tuned: null });
});
