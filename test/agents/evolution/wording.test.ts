/** What trials with real minds found unclear in prompts: cut notes, bases of patches, tunings in vain, equal drafts. */
import { describe, expect, test } from 'vitest';
import { clause, extractIdea } from '../../../src/agents/search/asking.ts';
import { bestOfN } from '../../../src/agents/search/best-of-n.ts';
import { evolutionPrompts } from '../../../src/agents/search/prompts.ts';
import { evolved, evolvingTemplate, fence, notesOf, type Scene } from '../../support/evolving.ts';

describe('a note is cut where a sentence, a clause or a word ends', () => {
  test.each([
    ['Swap two stations. It failed because the cache of distances went stale', 'Swap two stations …'],
    ['Swap two stations, since the cache of distances went stale after moves', 'Swap two stations …'],
    ['Swap two stations: the cache of distances went stale after all moves', 'Swap two stations …'],
    ['Swap two stations so that the cache stays as it is', 'Swap two stations so that the …'],
    ['Cut to 0.5 s. Otherwise the last part of the time would be lost', 'Cut to 0.5 s. Otherwise the …'],
    [
      '駅を二つ入れ替える。距離のキャッシュが古くなるため失敗した。だから別の近傍を試すとよいと思われる',
      '駅を二つ入れ替える。距離のキャッシュが古くなるため失敗した …',
    ],
  ])('%s', (text, cut) => {
    expect(clause(text, 32)).toBe(cut);
  });

  test('what fits stays whole, and a text without any end is cut all the same', () => {
    expect(clause('Swap two.\n Again.')).toBe('Swap two. Again.');
    expect(clause('x'.repeat(100), 20)).toBe(`${'x'.repeat(19)} …`);
    expect(extractIdea(`IDEA: ${'Swap two, then three. '.repeat(20)}`, '')).toMatch(/three …$/);
  });
});

test('each prompt that asks for blocks says in the same words what they refer to', () => {
  const all = Object.entries({ ...evolutionPrompts, ...bestOfN.prompts });
  const withBlocks = all.filter(([, text]) => text.includes('<<<<<<< SEARCH'));
  expect(withBlocks.map(([name]) => name)).toEqual(
    expect.arrayContaining(['change', 'directedChange', 'userChange', 'repairCompile', 'repairCases']),
  );
  const same =
    'They refer to the base program as shown: the lines under SEARCH stand in it exactly so, and once.';
  for (const [name, text] of withBlocks) expect(text, name).toContain(same);
  for (const [name, text] of all) expect(text, name).not.toContain('program to begin from');
});

async function asked(scene: Scene) {
  const texts: string[] = [];
  const run = await evolved({
    ...scene,
    reply: (request, call, world) => {
      if (call.role === 'solver') texts.push(String(request.messages.at(-1)?.content));
      return scene.reply?.(request, call, world) ?? null;
    },
  });
  return { ...run, texts };
}

test('a second program says what it is for, and is not taken for the base', async () => {
  const operators = { change: 0, rewrite: 1, tune: 0 };
  const { texts } = await asked({
    settings: { operators, islands: 1, room: { beginnings: 2 }, maxGenerations: 1 },
  });
  const both = texts.filter((text) => text.includes('For ideas, not to be changed: program gen'));
  expect(both.length).toBeGreaterThan(0);
  for (const text of both) expect(text.match(/^The base program, gen/gm)).toHaveLength(1);
});

test('a tuning in vain says how many values it tried and which came nearest; it is not called unusable', async () => {
  const source = evolvingTemplate.replace('= 10', '= 40');
  const { events, texts } = await asked({
    settings: {
      given: [{ name: 'mine.cpp', source }],
      islands: 1,
      linesPerIsland: 1,
      maxGenerations: 1,
      populationSize: 6,
      operators: { change: 1, rewrite: 0, tune: 1 },
    },
    reply: (_request, { role }) => (role === 'solver' ? `IDEA: the same\n\n${fence(source)}` : null),
  });
  const tuned = notesOf(events, 'candidate').find(({ operator }) => operator === 'tune');
  const words =
    /found nothing better \(tried \d+ values, best A 40 → [\d.]+: [\d.]+ (better|worse) on \d+ cases/;
  expect(tuned?.detail).toMatch(words);
  const told = texts.filter((text) => text.includes('- tune gen'));
  expect(told.length).toBeGreaterThan(0);
  for (const text of told) expect(text).toMatch(new RegExp(`- tune gen\\d+_id\\d+: ${words.source}`));
  expect(texts.join('\n')).not.toMatch(/tune gen\S+: unusable/);
});

test('each first program is asked for with a strategy of its own', async () => {
  const { texts } = await asked({ settings: { islands: 1, room: { beginnings: 4 }, maxGenerations: 0 } });
  const strategies = texts.flatMap((text) => /even if you would choose another: (.*)/.exec(text)?.[1] ?? []);
  expect(strategies).toHaveLength(4);
  expect(new Set(strategies).size).toBe(4);
});
