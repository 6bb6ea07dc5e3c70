/** The richer parts of the search, each seen at work in a run whose model is a script, and replayed. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import type { ModelRequest } from '../../../src/core/model.ts';
import type { Family } from '../../../src/core/problem.ts';
import {
  changeTo,
  evolved,
  evolvingAnalysis,
  evolvingFamily,
  evolvingTemplate,
  fence,
  notesOf,
  programIn,
} from '../../support/evolving.ts';

const asked = (request: ModelRequest): string => JSON.stringify(request.messages.at(-1)?.content ?? '');
const isAbout = (request: ModelRequest, words: string): boolean => asked(request).includes(words);

test('two programs are joined from the whole prompt, in the words of the configuration', async () => {
  const seen: string[] = [];
  const { events, replay } = await evolved({
    settings: {
      ...{ maxGenerations: 4, populationSize: 6, islands: 1, archiveShare: 0.5 },
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

const padded = `${evolvingTemplate.replace('  print', `${Array.from({ length: 130 }, (_, at) => `  pad(${at}, values[${at}]);\n`).join('')}  print`)}`;
const simplifying = { change: 0.3, rewrite: 0, tune: 0, crossover: 0, simplify: 0.7 };

test('what is shorter and not worse takes its parent’s place; what is worse does not', async () => {
  const { events, replay } = await evolved({
    task: { template: padded },
    settings: {
      ...{ maxGenerations: 4, populationSize: 6, islands: 1, operators: simplifying, noveltyThreshold: 1 },
      given: [{ name: 'mine.cpp', source: padded }],
    },
    reply: (request, { index, branch }) => {
      if (!isAbout(request, 'The program has grown')) return null;
      const program = programIn(request);
      const lines = [...program.matchAll(/ {2}pad\(.*\n/g)];
      const shorter = program
        .split('\n')
        .filter((each) => !lines.slice(0, 12).some(([line]) => line.trim() === each.trim()));
      const isBad = (branch.length + index + branch.charCodeAt(branch.length - 1)) % 2 === 0;
      const text = shorter.join('\n');
      return `IDEA: less\n\n${fence(isBad ? text.replace('  print', '  worsen(3);\n  print') : text)}`;
    },
  });
  expect(replay).toMatchObject({ isSame: true });
  const simplified = notesOf(events, 'candidate').filter(({ operator }) => operator === 'simplify');
  const replaced = simplified.filter(({ detail }) => detail.includes('takes its place'));
  expect(replaced.length).toBeGreaterThan(0);
  expect(replaced.filter(({ source }) => source.includes('worsen(3)'))).toEqual(
    replaced.filter(({ source, parents }) => {
      const parent = notesOf(events, 'candidate').find(({ id }) => id === parents[0]);
      return source.includes('worsen(3)') && parent?.source.includes('worsen(3)');
    }),
  );
  const order = notesOf(events, 'candidate');
  for (const { id, parents } of replaced) {
    const at = order.findIndex((each) => each.id === id);
    // Two lines work at once: what was begun before may still be of the one that was replaced.
    expect(order.slice(at + 3).filter((each) => each.parents[0] === parents[0])).toEqual([]);
  }
});

test('of several proposals the cheap stage chooses, and what it passed over is noted', async () => {
  const { events, replay } = await evolved({
    settings: { children: 3, operators: { change: 1, rewrite: 0, tune: 0 }, maxGenerations: 2 },
    reply: (request, { branch }) => {
      if (!isAbout(request, 'one targeted change')) return null;
      const number = Number(branch.at(-1));
      const name = branch.split('/').find((each) => each.startsWith('gen')) ?? '';
      const k = 200 + Number(name.replaceAll(/\D/g, ''));
      if (number === 1) return changeTo('  print();', '  BROKEN\n  print();', `broken ${name}`);
      if (number === 2) return changeTo('  print();', `  improve(${k});\n  print();`, `good ${name}`);
      return changeTo('  print();', `  worsen(${k});\n  worsen(${k + 500});\n  print();`, `bad ${name}`);
    },
  });
  expect(replay).toMatchObject({ isSame: true });
  const changes = notesOf(events, 'candidate').filter(({ operator }) => operator === 'change');
  expect(changes.length).toBeGreaterThan(5);
  for (const { summary, parameters, calls } of changes) {
    expect(summary).toMatch(/^good /);
    expect(parameters.children).toBe(3);
    expect(calls).toBe(3);
  }
  const reasons = notesOf(events, 'passed-over').map(({ because }) => because);
  expect(new Set(reasons)).toEqual(new Set(['does not compile', 'another was better on the first 5 cases']));
  // No case is run twice with one program.
  for (const { evaluation } of changes) {
    const names = evaluation?.cases.map(({ name }) => name) ?? [];
    expect(new Set(names).size).toBe(names.length);
  }
});

test('insights are gathered, and later prompts show them; a reply that is none changes nothing', async () => {
  const prompts: string[] = [];
  let times = 0;
  const { events } = await evolved({
    settings: { insightsEvery: 6, maxGenerations: 4 },
    reply: (request, { role }) => {
      if (role === 'solver') prompts.push(asked(request));
      if (role !== 'adviser' || !isAbout(request, 'What was tried of late')) return null;
      times += 1;
      const recommendations = Array.from({ length: 8 }, (_, at) => `try ${times}-${at}`);
      return times === 2 ? 'I cannot say.' : JSON.stringify({ summary: `seen ${times}`, recommendations });
    },
  });
  const found = notesOf(events, 'insights');
  expect(found.length).toBeGreaterThanOrEqual(2);
  expect(found[0]).toMatchObject({ summary: expect.stringMatching(/^seen/), because: '' });
  expect(found[0]?.recommendations).toHaveLength(5);
  expect(found[1]).toMatchObject({ summary: '', because: expect.stringContaining('not of the form') });
  const shown = prompts.filter((prompt) => prompt.includes('seen 1'));
  expect(shown.length).toBeGreaterThan(3);
  expect(prompts.some((prompt) => prompt.includes('try 1-4'))).toBe(true);
  expect(prompts.some((prompt) => prompt.includes('try 1-5'))).toBe(false);
});

test('an idea that was tried with a program is shown, and is not evaluated again', async () => {
  const prompts: string[] = [];
  const { events } = await evolved({
    settings: {
      ...{ tabooIdeas: 10, islands: 1, maxGenerations: 4, islandSize: 2, noveltyThreshold: 1 },
      operators: { change: 1, rewrite: 0, tune: 0 },
    },
    reply: (request, { branch }) => {
      if (!isAbout(request, 'one targeted change')) return null;
      prompts.push(asked(request));
      const k = Number(branch.replaceAll(/\D/g, '').slice(-3)) + 300;
      return changeTo('  print();', `  worsen(${k});\n  print();`, 'swap two lanterns that are near');
    },
  });
  const refused = notesOf(events, 'candidate').filter(({ detail }) => detail.includes('the idea of'));
  expect(refused.length).toBeGreaterThan(3);
  for (const { status, evaluation } of refused)
    expect({ status, evaluation }).toEqual({ status: 'duplicate', evaluation: null });
  expect(
    prompts.some((prompt) => /has been tried already.*swap two lanterns that are near/.test(prompt)),
  ).toBe(true);
});

describe('chosen by what they gained for what they cost', () => {
  test('a model that is as good and dearer is asked less', async () => {
    const { events } = await evolved({
      settings: {
        ...{ proposers: 2, maxGenerations: 8, populationSize: 8 },
        operators: { change: 1, rewrite: 0, tune: 0 },
      },
      reply: (request, { role, branch }) => {
        if (!isAbout(request, 'one targeted change')) return null;
        const k = 400 + Number(branch.replaceAll(/\D/g, '').slice(-4));
        const padding = role === 'solver2' ? 'word '.repeat(4_000) : '';
        return changeTo('  print();', `  improve(${k});\n  print();`, `more ${k}`) + padding;
      },
    });
    const roles = notesOf(events, 'candidate')
      .filter(({ operator }) => operator === 'change')
      .map(({ parameters }) => parameters.role);
    const dear = roles.filter((role) => role === 'solver2').length;
    expect(dear).toBeGreaterThan(0);
    expect(dear).toBeLessThan(roles.length / 2);
  });

  test('an operator that gains nothing is chosen less, and never quite given up', async () => {
    const { events } = await evolved({
      settings: {
        ...{ operatorChoice: 'bandit', maxGenerations: 8, populationSize: 8, migrationEvery: 0 },
        operators: { change: 0.1, rewrite: 0.9, tune: 0 },
      },
      reply: (request, { branch }) => {
        const k = 400 + Number(branch.replaceAll(/\D/g, '').slice(-4));
        if (isAbout(request, 'one targeted change')) {
          return changeTo('  print();', `  improve(${k});\n  print();`, `more ${k}`);
        }
        if (!isAbout(request, 'Write a better program')) return null;
        return `IDEA: anew\n\n${fence(programIn(request).replace('  print', `  worsen(${k});\n  print`))}`;
      },
    });
    const chosen = notesOf(events, 'candidate').map(({ operator }) => operator);
    const count = (name: string) => chosen.filter((operator) => operator === name).length;
    expect(count('rewrite')).toBeGreaterThan(1);
    expect(count('rewrite')).toBeLessThan(count('change') / 2);
  });
});

describe('what earlier sessions learned', () => {
  const own = evolvingFamily();
  const queries: unknown[] = [];
  const withTool = (text: string, found: number, prompts: Json = []): Family => ({
    ...own,
    open: (spec) => ({
      ...own.open(spec),
      tools: [
        {
          name: 'knowledge_search',
          description: 'of a test',
          parameters: z.object({ keywords: z.array(z.string()) }),
          repeat: 'safe',
          async call(args) {
            queries.push(args);
            return { text, data: { found, prompts } };
          },
        },
      ],
    }),
  });
  const shown = async (family: Family, settings: JsonObject) => {
    const prompts: string[] = [];
    const { events } = await evolved({
      settings: { maxGenerations: 1, ...settings },
      world: { families: [family] },
      reply: (request, { role }) => {
        if (role === 'solver') prompts.push(asked(request));
        return role === 'analyst'
          ? JSON.stringify({
              ...evolvingAnalysis,
              problem_type_tags: ['packing'],
              extracted_keywords: ['box'],
            })
          : null;
      },
    });
    return { learned: notesOf(events, 'learned'), prompts };
  };

  test('is looked up by the words of the analysis, and shown', async () => {
    const { learned, prompts } = await shown(withTool('- swap of boxes, +3 %', 1), { knowledge: true });
    expect(queries).toEqual([{ keywords: ['packing', 'box'] }]);
    expect(learned).toEqual([{ text: '- swap of boxes, +3 %', wordings: [] }]);
    expect(prompts.filter((each) => each.includes('- swap of boxes, +3 %')).length).toBeGreaterThan(2);
  });

  test('is nothing where nothing fits, nobody keeps it, or nobody asked', async () => {
    const none = await shown(withTool('Nothing fits.', 0), { knowledge: true });
    expect(none.learned).toEqual([{ text: '', wordings: [] }]);
    expect(none.prompts.some((each) => each.includes('Nothing fits'))).toBe(false);
    expect((await shown(own, { knowledge: true })).learned).toEqual([{ text: '', wordings: [] }]);
    expect((await shown(withTool('x', 1), {})).learned).toEqual([]);
  });

  /** Which words each change was asked for in, where those with GOOD make programs better and others make them worse. */
  const wordsUsed = async (settings: JsonObject, prompts: Json = []) => {
    const { events, replay } = await evolved({
      settings: {
        ...{ maxGenerations: 3, populationSize: 8, islands: 1, migrationEvery: 0, reevaluateEvery: 0 },
        ...{ operators: { change: 1, rewrite: 0, tune: 0 }, knowledge: true, ...settings },
      },
      world: { families: [withTool('- a piece', 1, prompts)] },
      reply: (request, { branch }) => {
        const k = 400 + Number(branch.replaceAll(/\D/g, '').slice(-4));
        if (!isAbout(request, 'Begin with one line')) return null;
        const does = isAbout(request, 'GOOD') ? 'improve' : 'worsen';
        return changeTo('  print();', `  ${does}(${k});\n  print();`, `${does} ${k}`);
      },
    });
    expect(replay).toMatchObject({ isSame: true });
    const changes = notesOf(events, 'candidate').filter(({ operator }) => operator === 'change');
    return {
      changes,
      learned: notesOf(events, 'learned'),
      names: changes.map(({ parameters }) => parameters.prompt),
    };
  };
  const three = ['Bad. {code_snippet}', 'GOOD. {code_snippet}', 'Worse. {code_snippet}'];
  const share = (names: readonly unknown[], name: string) =>
    names.filter((each) => each === name).length / names.length;

  test('words that pay are asked in more often, others are never quite given up', async () => {
    const even = await wordsUsed({ mutationPrompts: three });
    expect(share(even.names, 'mutation_prompts[1]')).toBeLessThan(0.5);
    const chosen = await wordsUsed({ mutationPrompts: three, wordingChoice: 'bandit' });
    expect(share(chosen.names, 'mutation_prompts[1]')).toBeGreaterThan(0.5);
    // The search's own words are one of the choices, and each of all was tried.
    expect(new Set(chosen.names)).toEqual(
      new Set(['change', ...three.map((_, at) => `mutation_prompts[${at}]`)]),
    );
    expect(
      chosen.changes.find(({ parameters }) => parameters.prompt === 'mutation_prompts[2]'),
    ).toMatchObject({
      parameters: { wording: 'Worse. {code_snippet}' },
    });
  });

  test('words that paid in earlier sessions are used from the first change on', async () => {
    const credit = [
      { kind: 'change', words: '', made: 20, better: 2 },
      { kind: 'change', words: 'GOOD as it was. {code_snippet}', made: 20, better: 15 },
      // Once may be luck; less often than the search's own is nothing to follow.
      { kind: 'change', words: 'Once. {code_snippet}', made: 1, better: 1 },
      { kind: 'change', words: 'Rarely. {code_snippet}', made: 40, better: 3 },
    ];
    const { names, learned } = await wordsUsed({ wordingChoice: 'bandit' }, credit);
    expect(learned).toMatchObject([{ wordings: ['GOOD as it was. {code_snippet}'] }]);
    expect(names[0]).toBe('learned_mutation_prompts[0]');
    expect(share(names, 'learned_mutation_prompts[0]')).toBeGreaterThan(0.6);
    // Nobody asked for it, or what is told is of another form.
    expect(new Set((await wordsUsed({}, credit)).names)).toEqual(new Set(['change']));
    expect(new Set((await wordsUsed({ wordingChoice: 'bandit' }, ['?'])).names)).toEqual(new Set(['change']));
  });
});
