/** How a search begins: the analysis, strategies that differ, first programs; with models that reply badly, too. */
import { describe, expect, test } from 'vitest';
import { evolutionSettings } from '../../../src/agents/search/evolution-settings.ts';
import { familyNamed, familyOf } from '../../../src/agents/search/population.ts';
import { readAnalysis } from '../../../src/notes/problem-analysis.ts';
import { analysis, begun, strategy, template } from '../../support/beginnings.ts';
import { type Asked, wordsOf } from '../../support/induction.ts';

const program = '#include <cstdio>\nint main() { puts("1"); }';
const fenced = (source: string): string => `Prints one.\n\n\`\`\`cpp\n${source}\n\`\`\`\n`;
const both = [
  strategy('Annealing of lanterns', 'simulated annealing', {
    library: ['timer.hpp', 'nothing'],
    contests: ['ahc001'],
  }),
  strategy('Beam over rows', 'beam search'),
];

/** Replies by role, the last of them for ever. */
function by(said: Readonly<Record<string, readonly (string | object)[]>>) {
  const usual = { analyst: [analysis], strategist: [{ strategies: both }], solver: [fenced(program)] };
  const all: Readonly<Record<string, readonly (string | object)[]>> = { ...usual, ...said };
  return ({ call }: Asked): string => {
    const lines = all[call.role] ?? [];
    const reply = lines[Math.min(call.index, lines.length - 1)] ?? '';
    return typeof reply === 'string' ? reply : JSON.stringify(reply);
  };
}

const countOf = (asked: readonly Asked[], role: string): number =>
  asked.filter(({ call }) => call.role === role).length;
const ofRole = (asked: readonly Asked[], role: string): string[] =>
  asked.filter(({ call }) => call.role === role).map(wordsOf);

describe('a search begins', () => {
  test('with an analysis, strategies drawn from library and past contests, and a program for each', async () => {
    const { made, asked, noted, replay, end } = await begun(by({}), { hints: ['Mind the corners.'] });
    expect(end.outcome).toBe('answered');
    expect(noted('analysis')).toEqual([
      { origin: 'model', analysis: { ...analysis, raw_problem_text_path: '' } },
    ]);
    expect(noted('strategies')).toMatchObject([{ origin: 'model' }]);
    // What is not in the library is left out; a header's name is an entry's.
    expect(made.strategies.map(({ name, library }) => [name, library])).toEqual([
      ['Annealing of lanterns', ['timer']],
      ['Beam over rows', []],
    ]);
    const [strategist = ''] = ofRole(asked, 'strategist');
    expect(strategist).toContain('simulated_annealing\ntimer');
    expect(strategist).toContain('ahc001: rectangles');
    expect(strategist).toContain('{"problem_type_tags":["placement"]}');
    // The statement stands above it.
    expect(strategist).not.toContain('"max":"N*N"');
    const [first = '', second = ''] = ofRole(asked, 'solver');
    for (const words of [
      'TIMER CODE',
      'all about ahc001',
      template,
      'Mind the corners.',
      'simulated annealing here',
    ])
      expect(first).toContain(words);
    expect(second).not.toContain('TIMER CODE');
    expect(made.drafts).toMatchObject([
      { source: `${program}\n`, summary: 'Annealing of lanterns: Prints one.', detail: '' },
      { source: `${program}\n`, summary: 'Beam over rows: Prints one.' },
    ]);
    // A provider reads what all requests begin with only once.
    const openings = asked.map(({ request }) => JSON.stringify(request.messages.slice(0, 2)));
    expect(new Set(openings).size).toBe(1);
    expect(replay).toMatchObject({ complete: true, isSame: true });
  });

  test('with headers of the library put into the program, so that it compiles alone', async () => {
    const { made } = await begun(by({ solver: [fenced('#include "timer.hpp"\nint main() {}')] }), {
      count: 1,
    });
    expect(made.drafts[0]?.source).toBe('// TIMER CODE\nint main() {}\n');
  });

  test('without a library, past contests, or a reader of replies', async () => {
    const { made, asked } = await begun(by({}), { tools: [], count: 1 });
    expect(ofRole(asked, 'strategist')[0]).not.toContain('Algorithm library');
    expect(made.drafts[0]?.source).toBe(`${program}\n`);
  });

  test('with what its user gives, and asks no model for it', async () => {
    const settings = {
      analysis: { ...analysis, remark: 'mine' },
      strategies: both.map(({ family: _, ...each }) => each),
    };
    const { asked, noted } = await begun(by({}), { settings });
    expect(countOf(asked, 'analyst') + countOf(asked, 'strategist')).toBe(0);
    expect(noted('analysis')).toMatchObject([{ origin: 'given', analysis: { remark: 'mine' } }]);
    expect(noted('strategies')).toMatchObject([{ origin: 'given' }]);
  });

  test('not at all with an analysis of its user that is none: the settings are refused', () => {
    const read = evolutionSettings.safeParse({ analysis: { title: 'x' } });
    expect(read.success).toBe(false);
    expect(read.error?.message).toContain('time_limit_ms');
    expect(evolutionSettings.safeParse({ analysis }).success).toBe(true);
  });
});

describe('an analysis', () => {
  test('that does not fit is sent back once, with what is wrong, and taken when it is right', async () => {
    const wrong = { ...analysis, constraints: { N: { min: 1 } }, time_limit_ms: 'one second' };
    const { asked, noted } = await begun(by({ analyst: [wrong, analysis] }));
    const [, again = ''] = ofRole(asked, 'analyst');
    expect(again).toContain('time_limit_ms');
    expect(again).toContain('constraints.N.max');
    expect(noted('analysis')).toMatchObject([{ origin: 'corrected', analysis: { time_limit_ms: 1000 } }]);
  });

  test('that never fits is done without: the search goes on, and says so', async () => {
    const { asked, noted, made } = await begun(by({ analyst: ['I would rather talk.'] }));
    expect(countOf(asked, 'analyst')).toBe(2);
    expect(noted('analysis')).toMatchObject([
      { origin: 'fallback', analysis: { title: 'Lanterns', problem_statement_summary: 'Light the garden.' } },
    ]);
    expect(noted('doing')[0]?.what).toContain(
      'goes on without an analysis of its own: The reply holds no JSON',
    );
    expect(made.drafts).toHaveLength(2);
  });

  test('may be words around JSON', async () => {
    const { noted } = await begun(
      by({ analyst: [`Here:\n\`\`\`json\n${JSON.stringify(analysis)}\n\`\`\`\nGood luck!`] }),
    );
    expect(noted('analysis')).toMatchObject([{ origin: 'model' }]);
  });

  test('has bounds that are symbols, and fields that nobody knows', () => {
    expect(readAnalysis({ ...analysis, mood: 'fine' })).toMatchObject({
      ok: true,
      analysis: { mood: 'fine' },
    });
    expect(readAnalysis({ ...analysis, constraints: { N: { min: true } } })).toMatchObject({ ok: false });
  });
});

describe('strategies', () => {
  test('of one family are thinned out, also where one goes by another name; usual ones take their places', async () => {
    const alike = [strategy('A', 'SA'), strategy('B', 'simulated annealing with restarts')];
    const { made, asked } = await begun(by({ strategist: [{ strategies: alike }] }), { count: 3 });
    // One call: the strategist was asked again, at 14 kB, for one that was not needed.
    expect(countOf(asked, 'strategist')).toBe(1);
    expect(made.strategies.map(({ name }) => name)).toEqual(['A', 'Greedy construction', 'Beam search']);
  });

  test('that cannot be read are asked for once more', async () => {
    const { asked, noted } = await begun(by({ strategist: ['no', { strategies: both }] }));
    expect(ofRole(asked, 'strategist')[1]).toContain('holds no strategy of the form');
    expect(noted('strategies')).toMatchObject([
      { origin: 'corrected', strategies: [{ name: both[0]?.name }, {}] },
    ]);
  });

  test('that nobody can read are the usual ones', async () => {
    const { noted } = await begun(by({ strategist: ['no'] }));
    expect(noted('strategies')).toMatchObject([
      { origin: 'fallback', strategies: [{ name: 'Simulated annealing' }, { name: 'Greedy construction' }] },
    ]);
  });

  test('asked for later differ from those that are followed', async () => {
    const more = [strategy('C', 'annealing'), strategy('D', 'greedy')];
    const said = [{ strategies: both }, { strategies: more }];
    const { asked, made } = await begun(by({ strategist: said }), { twice: true });
    const [, second = ''] = ofRole(asked, 'strategist');
    expect(second).toContain('These are followed already');
    expect(made.strategies.map(({ name }) => name).slice(2)).toEqual(['D', 'Decomposition']);
  });

  test('are of a family by any name for it', () => {
    expect(['SA', '焼きなまし', 'annealed local search'].map(familyNamed)).toEqual(
      Array(3).fill('simulated annealing'),
    );
    expect(familyNamed('Ant Colony!')).toBe('ant colony');
    expect(familyOf({ name: 'Rows', idea: 'A beam over rows. Then polish.' })).toBe('beam search');
  });
});

describe('a first program', () => {
  test('is asked for once more where the reply holds none, and is the template in the end', async () => {
    const { made, asked } = await begun(by({ solver: ['Words.', '```cpp\nint main() {'] }), { count: 1 });
    expect(ofRole(asked, 'solver')[1]).toContain(
      'There is no program in the reply: write it whole, in one fenced block of code. Send the whole program again',
    );
    expect(made.drafts).toMatchObject([
      {
        source: template,
        summary: 'Annealing of lanterns: begins with the template',
        detail: 'The reply ends before its program does. Write a shorter one.',
      },
    ]);
  });

  test('is the one that the problem reads, and for others the complete one', async () => {
    const two = `${fenced(program)}${fenced('int x;')}`;
    const read = await begun(by({ solver: [two] }), {
      count: 1,
      parse: () => ({ type: 'source', language: 'cpp', source: 'read' }),
    });
    expect(read.made.drafts[0]?.source).toBe('read');
    const others = await begun(by({ solver: [two] }), { count: 1 });
    expect(others.made.drafts[0]?.source).toBe(`${program}\n`);
  });

  test('that its model refuses is the template', async () => {
    const refusal = { ok: true, message: { role: 'assistant', content: [] }, finish: 'refusal' } as const;
    const usage = { tokens: null, costUsd: null };
    const { made } = await begun(
      (asked) => (asked.call.role === 'solver' ? { ...refusal, usage } : by({})(asked)),
      { count: 1 },
    );
    expect(made.drafts).toMatchObject([{ source: template, detail: 'The model refused.' }]);
  });
});
