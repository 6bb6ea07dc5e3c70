/** Crossover and proposers, each seen at work in a run whose model is a script, and replayed. */
import { expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/core/model.ts';
import { evolved, fence, notesOf } from '../../support/evolving.ts';

const asked = (request: ModelRequest): string => JSON.stringify(request.messages.at(-1)?.content ?? '');
const isAbout = (request: ModelRequest, words: string): boolean => asked(request).includes(words);

test('two programs are joined from the whole prompt, in the words of the configuration', async () => {
  const seen: string[] = [];
  const { events, replay } = await evolved({
    settings: {
      maxGenerations: 4,
      populationSize: 6,
      islands: 1,
      operators: { change: 0.4, rewrite: 0, tune: 0, crossover: 0.6 },
      crossoverPrompts: ['JOIN THEM. First: {code_A} Second: {code_B}'],
      mutationPrompts: ['CHANGE IT: {code_snippet}'],
    },
    reply: (request) => {
      if (!isAbout(request, 'JOIN THEM')) return null;
      const text = request.messages
        .map(({ content }) => (typeof content === 'string' ? content : ''))
        .join('\n');
      seen.push(text);
      const programs = [...text.matchAll(/```cpp\n([\s\S]*?)\n```/g)].map(([, program]) => program ?? '');
      const calls = programs.flatMap((program) => program.match(/improve\(\d+\);/g) ?? []);
      const joined = [...new Set(calls)].map((call) => `  ${call}\n`).join('');
      return `IDEA: both\n\n${fence((programs[0] ?? '').replaceAll(/ {2}improve\(\d+\);\n/g, '').replace('  print', `${joined}  print`))}`;
    },
  });
  expect(replay).toMatchObject({ isSame: true });
  const crossed = notesOf(events, 'candidate').filter(({ operator }) => operator === 'crossover');
  expect(crossed.length).toBeGreaterThan(3);
  for (const { parents, parameters } of crossed) {
    expect(new Set(parents).size).toBe(parents.length);
    expect(parameters.prompt).toBe(parents.length === 2 ? 'crossover_prompts[0]' : 'crossover');
  }
  const prompts = notesOf(events, 'candidate').map(({ parameters }) => parameters.prompt);
  expect(prompts).toContain('mutation_prompts[0]');
  // Each of the two programs is there once, and whole.
  for (const text of seen) expect(text.split('int main()').length - 1).toBe(2);
});

test('several proposers write changes in turn', async () => {
  const { events } = await evolved({
    settings: {
      proposers: 2,
      maxGenerations: 3,
      populationSize: 8,
      operators: { change: 1, rewrite: 0, tune: 0 },
    },
  });
  const roles = notesOf(events, 'candidate')
    .filter(({ operator }) => operator === 'change')
    .map(({ parameters }) => parameters.role);
  const second = roles.filter((role) => role === 'solver2').length;
  expect(roles.length).toBeGreaterThan(8);
  expect(Math.abs(2 * second - roles.length)).toBeLessThanOrEqual(2);
});
