/** Two branches of one strategy are not asked the same thing in the same way. */
import { expect, test } from 'vitest';
import type { ModelSettings } from '../../../src/core/model.ts';
import { planned, played, prints, states, wordsOf } from '../../support/ensemble.ts';

const lines = {
  planner: [planned('Use Python')],
  'program-1': [prints('1')],
  'program-2': [prints('2')],
  'chain-1': [states('3')],
  'self-correction': [states('42')],
};
const other = 'in another way than the one that comes to mind';

async function programs(
  settings = {},
  more: Parameters<typeof played>[0]['model'] = {},
  own: ModelSettings = {},
) {
  const spec = Object.keys(own).length > 0 ? { modelSettings: { solver: own } } : {};
  const { of, replay } = await played({ lines, settings, model: more, spec });
  expect(replay).toMatchObject({ complete: true, isSame: true });
  const [first] = of('program-1');
  const [second] = of('program-2');
  return { first, second, planner: of('planner')[0] };
}

test('a temperature, where the model takes one; the planner is not asked for it', async () => {
  const { first, second, planner } = await programs({ diversity: 'auto' });
  expect([first?.settings?.temperature, second?.settings?.temperature]).toEqual([0.7, 0.7]);
  expect(wordsOf(first)).toBe(wordsOf(second));
  expect(planner?.settings).toBeUndefined();
});

test('another wording where it takes none, or its user set it to 0', async () => {
  const adapt = ({ temperature, ...rest }: ModelSettings) => ({
    settings: rest,
    notices: temperature === undefined ? [] : ['It takes no temperature.'],
  });
  for (const { first, second } of [
    await programs({ diversity: 'auto' }, { adapt }),
    await programs({ diversity: 'auto' }, {}, { temperature: 0 }),
  ]) {
    expect(wordsOf(first)).not.toContain(other);
    expect(wordsOf(second)).toContain(other);
  }
  const { second } = await programs({ diversity: 'auto' }, {}, { seed: 7 });
  expect(wordsOf(second)).toContain(other);
});

test('a seed each, a wording always, or nothing but the temperature, where the settings say so', async () => {
  const seeds = await programs({ diversity: 'seed' });
  expect([seeds.first?.settings?.seed, seeds.second?.settings?.seed]).toEqual([1, 2]);
  expect(wordsOf(seeds.second)).not.toContain(other);
  expect(wordsOf((await programs({ diversity: 'seed' }, {}, { seed: 7 })).second)).toContain(other);
  expect(wordsOf((await programs({ diversity: 'wording' })).second)).toContain(other);
  const none = await programs({ diversity: 'none', temperature: 0 });
  expect(wordsOf(none.second)).toBe(wordsOf(none.first));
});

test('with many of one strategy each has its own wording, and then they begin again', async () => {
  const names = [1, 2, 3, 4, 5].map((number) => `chain-${number}`);
  const { of } = await played({
    lines: {
      planner: [planned('Use Reasoning')],
      ...Object.fromEntries(names.map((name, at) => [name, [states(`${at}`)]])),
      'self-correction': [states('42')],
    },
    settings: { diversity: 'wording', strategies: { reasoning: names.map(() => 'chain') } },
  });
  const words = names.map((name) => wordsOf(of(name)[0]));
  expect(new Set(words).size).toBe(4);
  expect(words[4]).toBe(words[1]);
});

/** A person who answers has no temperature, and two who are asked the same say the same. */
test('two branches got the very same prompt, with a temperature that nobody had: no two prompts are alike', async () => {
  const list = Array.from(
    { length: 14 },
    (_, at) => (['chain', 'program', 'react'] as const)[at % 3] ?? 'chain',
  );
  const nth = (at: number) => `${list[at]}-${1 + Math.floor(at / 3)}`;
  const lines = Object.fromEntries(
    list.map((strategy, at) => [nth(at), [(strategy === 'program' ? prints : states)(`${at}`)]]),
  );
  for (const type of ['Math', 'Logic']) {
    const reviews = list.map((_, at) => [`${nth(at)}/reviewer`, [states('The same.\n1')]]);
    const { asked, notes } = await played({
      lines: {
        planner: [planned('Use Reasoning', type)],
        ...lines,
        ...Object.fromEntries(reviews),
        'self-correction': [states('42')],
      },
      settings: { strategies: { reasoning: list }, earlyStop: false },
      spec: { modelSettings: { default: { temperature: 1 } } },
    });
    expect(notes.samples).toHaveLength(14);
    const prompts = asked.map(({ request }) => wordsOf(request));
    expect(new Set(prompts).size).toBe(prompts.length);
    const first = asked.find(({ place }) => place === 'chain-1');
    const second = asked.find(({ place }) => place === 'chain-2');
    // What all of them have in common stands first, for caches; and who shall go another way is told no plan.
    expect(second?.request.messages[0]).toEqual(first?.request.messages[0]);
    expect(wordsOf(first?.request)).toContain('Add, then halve.');
    expect(wordsOf(second?.request)).not.toContain('Add, then halve.');
  }
});
