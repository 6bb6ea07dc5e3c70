/** What a search may begin with, and what it does where there is little: own programs, no fresh cases, nothing that works. */
import { expect, test } from 'vitest';
import type { ModelReply } from '../../../src/core/model.ts';
import { evolved, evolvingTask, evolvingTemplate, notesOf } from '../../support/evolving.ts';

const program = (a: number, ...lines: readonly string[]) =>
  `const double A = ${a};\nint main() {\n  read();\n${lines.map((line) => `  ${line}\n`).join('')}  print();\n}\n`;

test('own programs are what islands begin with, each kept to its approach; the first that works is the root', async () => {
  const given = [
    { name: 'broken.cpp', source: program(20, 'BROKEN') },
    { name: 'mine.cpp', source: program(20, 'improve(50);') },
  ];
  const { end, events, replay } = await evolved({ settings: { given, maxGenerations: 2 } });
  expect(replay).toMatchObject({ isSame: true });
  const candidates = notesOf(events, 'candidate');
  const first = candidates.filter(({ generation }) => generation === 0);
  expect(first.map(({ operator, summary, status, island }) => [operator, summary, status, island])).toEqual([
    ['given', 'broken.cpp', 'compile-error', 1],
    ['given', 'mine.cpp', 'evaluated', 2],
    ['repair', 'broken.cpp', 'evaluated', 1],
  ]);
  expect(first.slice(0, 2).every(({ calls }) => calls === 0)).toBe(true);
  const [final] = notesOf(events, 'final');
  expect(final?.standings.find(({ id }) => id === 'gen00_id02')?.gain).toBeNull();
  expect(end.grade?.score).toBeGreaterThan(960);
  // Nobody is asked for strategies that are not followed: one island and two to spare.
  expect(notesOf(events, 'strategies')[0]?.strategies).toHaveLength(3);
  // An island without a program of its own goes on from the root.
  const third = candidates.find(({ island, generation }) => island === 3 && generation === 1);
  expect(third?.parents).toEqual(['gen00_id02']);
});

test('where no new cases can be had, some are set aside before anything is run', async () => {
  const ran = new Set<string>();
  const all = evolvingTask();
  const { events } = await evolved({
    settings: { maxGenerations: 3, heldOutCases: 8 },
    hasFresh: false,
    task: {
      direction: 'minimise',
      scoring: 'relative',
      evaluate: (source, cases, context) => {
        for (const name of cases) ran.add(name);
        return all.evaluate(source, cases, context);
      },
    },
  });
  const [final] = notesOf(events, 'final');
  expect(final?.cases).toBe(8);
  expect(notesOf(events, 'setting')[0]?.cases).toBe(22);
  const heldOut = new Set(
    notesOf(events, 'more-cases').flatMap(({ evaluation }) => evaluation.cases.map(({ name }) => name)),
  );
  const searched = notesOf(events, 'candidate').flatMap(({ evaluation }) => evaluation?.cases ?? []);
  expect(heldOut.size).toBe(8);
  expect(searched.some(({ name }) => heldOut.has(name))).toBe(false);
  expect(ran.size).toBe(30);
  // Less is better: what began high comes down, and its ratio to what it began with goes up.
  const scores = notesOf(events, 'best').map(({ score }) => score ?? 0);
  expect(scores).toEqual(scores.toSorted((a, b) => a - b));
  expect(scores[0]).toBe(1);
});

test('where nothing works there is nothing to hand in, and that is said; what fails is repaired in vain', async () => {
  const { end, events } = await evolved({
    settings: { maxGenerations: 2, islands: 1, populationSize: 4 },
    task: { template: evolvingTemplate.replace('read', 'BROKEN') },
    reply: (_request, { role, branch, index }) =>
      role === 'solver'
        ? `\`\`\`cpp\n${program(1, 'BROKEN', `improve(${branch.length}${index});`)}\`\`\``
        : null,
  });
  expect(end.solution).toMatchObject({ end: 'gave-up' });
  expect(end.solution?.detail).toMatch(/^No program ran on all cases without a failure\./);
  expect(notesOf(events, 'final')).toEqual([]);
  const operators = new Set(notesOf(events, 'candidate').map(({ operator }) => operator));
  expect(operators).toEqual(new Set(['template', 'initial', 'repair']));
});

test('a model that refuses, or fails at this very request, costs a candidate and not the run', async () => {
  const message = { role: 'assistant', content: [{ type: 'text', text: 'No.' }] } as const;
  const tokens = { input: 7, cachedInput: 0, output: 2, reasoning: 0 };
  const refusal: ModelReply = { ok: true, message, finish: 'refusal', usage: { tokens, costUsd: null } };
  const tooLong: ModelReply = {
    ok: false,
    error: { kind: 'context-overflow', message: 'too long', retryable: false },
    usage: null,
  };
  const cut: ModelReply = {
    ...refusal,
    message: { role: 'assistant', content: [{ type: 'text', text: '<<<<<<< SEARCH\n  print();\n' }] },
    finish: 'length',
  };
  const { end, events } = await evolved({
    settings: { maxGenerations: 1, populationSize: 9, operators: { change: 1, tune: 0 }, islands: 1 },
    reply: (_request, { role, branch }) => {
      if (role !== 'solver' || !branch.includes('gen01')) return null;
      return [refusal, tooLong, cut][Number(branch.at(-1)) % 3] ?? null;
    },
  });
  expect(end.outcome).toBe('scored');
  const fates = notesOf(events, 'candidate').filter(({ generation }) => generation === 1);
  expect(fates.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 6 }, () => 'unanswered'),
    ...Array.from({ length: 3 }, () => 'unusable'),
  ]);
  const details = fates.map(({ detail }) => detail).join('\n');
  expect(details).toMatch(/The model refused\.[\s\S]*|context-overflow/);
  expect(details).toContain('context-overflow');
  expect(fates.find(({ detail }) => detail === 'The model refused.')?.tokens).toEqual({
    input: 7,
    output: 2,
  });
});

test('where the time is over before a first program is repaired, generation 0 is over all the same', async () => {
  const text = `\`\`\`cpp\n${program(20, 'BROKEN')}\`\`\``;
  const message = { role: 'assistant', content: [{ type: 'text', text }] } as const;
  const tokens = { input: 7, cachedInput: 0, output: 2, reasoning: 0 };
  const { end, events } = await evolved({
    settings: { islands: 2, timeLimitSeconds: 0.001 },
    reply: (_request, { role }) =>
      role === 'solver' ? { ok: true, message, finish: 'stop', usage: { tokens, costUsd: null } } : null,
  });
  expect(end.outcome).toBe('scored');
  const candidates = notesOf(events, 'candidate');
  expect(candidates.every(({ generation }) => generation === 0)).toBe(true);
  expect(candidates.some(({ operator }) => operator === 'repair')).toBe(false);
  expect(notesOf(events, 'generation').map(({ generation }) => generation)).toEqual([0]);
});
