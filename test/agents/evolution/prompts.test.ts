/** What models are asked for: the same beginning each time, bounded parts, what failed and why, and their user's words. */
import { describe, expect, test } from 'vitest';
import { extractIdea } from '../../../src/agents/search/asking.ts';
import { functionsIn } from '../../../src/agents/search/operators/change.ts';
import { extractProgram, readProposal } from '../../../src/agents/search/operators/proposal-in-reply.ts';
import type { ModelRequest } from '../../../src/core/model.ts';
import { randomFromKey } from '../../../src/run/hash.ts';
import { changeTo, evolved, evolvingTemplate, fence, notesOf, programIn } from '../../support/evolving.ts';

const textOf = ({ messages }: ModelRequest, from = 0) =>
  messages
    .slice(from)
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n\n');

/** All requests for programs of a run, and its end. */
async function requestsOf(scene: Parameters<typeof evolved>[0]) {
  const requests: ModelRequest[] = [];
  const run = await evolved({
    ...scene,
    reply: (request, call, world) => {
      if (call.role === 'solver') requests.push(request);
      return scene?.reply?.(request, call, world) ?? null;
    },
  });
  return { ...run, requests };
}

test('every request begins with the same bytes, and none grows with the population', async () => {
  const hints = ['Try swaps.', 'And be fast.'];
  const { requests, events } = await requestsOf({
    settings: { maxGenerations: 16, populationSize: 8, operators: { change: 1, tune: 0 } },
    reply: (request, { branch, index, role }, world) => {
      const hint = hints.pop();
      if (hint) void world.store.post('run', { kind: 'tell', text: hint, atMs: 1 });
      if (role !== 'solver' || !/gen\d/.test(branch)) return null;
      const number = Math.floor(randomFromKey(`${branch} ${index}`) * 90);
      const idea = `an idea of many words ${'and more '.repeat(60)}`;
      return programIn(request) === ''
        ? null
        : changeTo('  print();', `  worsen(${number});\n  print();`, idea);
    },
  });
  expect(notesOf(events, 'candidate').length).toBeGreaterThan(100);
  const openings = new Set(requests.map(({ messages }) => JSON.stringify(messages.slice(0, 2))));
  expect(openings.size).toBe(1);
  // Without the program, which grows as it likes.
  const sizes = requests.map((request) => textOf(request, 2).replaceAll(/```[\s\S]*?```/g, '').length);
  const early = Math.max(...sizes.slice(40, 70));
  const late = Math.max(...sizes.slice(-30));
  expect(late).toBeLessThan(early * 1.1);
  expect(late).toBeLessThan(9_000);
});

describe('what a model is told', () => {
  test('what it proposed before: who answers alike is never asked the same twice', async () => {
    const harm = Array.from({ length: 9 }, (_, at) => `  worsen(${at});`).join('\n');
    const { requests, events } = await requestsOf({
      settings: {
        operators: { change: 1, rewrite: 0, tune: 0 },
        islands: 1,
        linesPerIsland: 1,
        maxGenerations: 1,
        populationSize: 6,
      },
      reply: (_request, { role, branch }) =>
        role === 'solver' && /gen0[1-9]/.test(branch)
          ? changeTo('  read();', `  read();\n${harm}`, 'the one idea')
          : null,
    });
    const statuses = notesOf(events, 'candidate').map(({ status }) => status);
    expect(statuses.filter((status) => status === 'duplicate').length).toBeGreaterThan(3);
    const changes = requests
      .map((each) => textOf(each, 2))
      .filter((text) => /one targeted change/.test(text));
    expect(changes.at(-1)).toMatch(/the one idea: cut, \d times\. \d+\.\d+ worse than its parent/);
    expect(new Set(changes).size).toBe(changes.length);
  });

  test('a repair is asked for with the failing cases, their inputs and the tool’s words', async () => {
    const { requests, events } = await requestsOf({
      settings: { operators: { change: 1, tune: 0 }, islands: 1, maxGenerations: 2 },
      reply: (request, { role }) => {
        if (role !== 'solver') return null;
        if (/compiles, and fails/.test(textOf(request, 2))) return null;
        return changeTo('  print();', '  CRASH\n  print();', 'fewer checks');
      },
    });
    const repair = requests.find((request) => /compiles, and fails/.test(textOf(request, 2)));
    const text = repair ? textOf(repair, 2) : '';
    expect(text).toMatch(/c\d+: RE: Segmentation fault\nIts input begins:\n\d+\n1 2 3/);
    expect(text).toContain('It was to be: fewer checks');
    const change = requests.findLast((request) => /one targeted change/.test(textOf(request, 2)));
    const later = change ? textOf(change, 2) : '';
    // Told once, and not again for each time that it was tried.
    expect(later.match(/fewer checks/g)).toHaveLength(1);
    expect(later).toMatch(/came to nothing.*fewer checks: failed(?:, \d times)?\. c\d+: RE/s);
    const failed = notesOf(events, 'candidate').find(({ status }) => status === 'failed');
    const repaired = notesOf(events, 'candidate').find(({ operator }) => operator === 'repair');
    expect(failed?.detail).toMatch(/^c\d+: RE: Segmentation fault$/);
    expect(repaired?.parents).toEqual([failed?.id]);
  });

  test('a change that does not match is sent back, then the whole program is asked for', async () => {
    const { requests, events } = await requestsOf({
      settings: {
        operators: { change: 1, tune: 0 },
        islands: 1,
        linesPerIsland: 1,
        maxGenerations: 1,
        populationSize: 1,
      },
      reply: (request, { role, branch }) => {
        if (role !== 'solver' || !branch.includes('gen01')) return null;
        if (/fenced block of code\.$/.test(textOf(request).trim())) {
          return fence(evolvingTemplate.replace('10', '40'));
        }
        return changeTo('  prinft();', '  improve(1);', 'an idea');
      },
    });
    const talk = requests.at(-1);
    expect(talk?.messages).toHaveLength(7);
    expect(textOf(requests.at(-2) ?? { messages: [] })).toMatch(
      /most similar lines of the program are:\n\d: {3}print\(\);/,
    );
    const [made] = notesOf(events, 'candidate').filter(({ generation }) => generation === 1);
    expect(made).toMatchObject({ status: 'evaluated', calls: 3, summary: 'an idea', tokens: { input: 30 } });
    expect(made?.source).toContain('A = 40');
  });

  test('its user’s own words are used, with the program or a function of it in their places', async () => {
    const template = 'const double A = 10;\nint main() {\n  read();\n  print();\n}\n';
    const settings = {
      maxGenerations: 2,
      islands: 1,
      populationSize: 6,
      mutationPrompts: ['Mend this: {code_snippet}', 'Faster, please: {function_code}'],
      crossoverPrompts: ['A: {code_A} B: {code_B} Join them.'],
      operators: { change: 0.5, rewrite: 0, tune: 0, crossover: 0.5 },
    };
    const { requests } = await requestsOf({ settings, task: { template } });
    const texts = requests.map((request) => textOf(request, 2));
    const mended = texts.find((text) => text.includes('Mend this:'));
    expect(mended).toContain('Mend this: \n```cpp\nconst double A');
    expect(mended?.match(/const double A/g)).toHaveLength(1);
    const faster = texts.find((text) => text.includes('Faster, please:'));
    expect(faster).toContain('Faster, please: \n```cpp\nint main() {');
    expect(texts.some((text) => /A: \n```cpp[\s\S]*B: \n```cpp[\s\S]*Join them\./.test(text))).toBe(true);
  });
});

describe('a reply', () => {
  test.each([
    ['one block', 'IDEA: x\n```cpp\nint main() {}\n```', 'int main() {}\n'],
    ['the longest of several', '```\na\n```\nthen\n```cpp\nint main() {}\n```', 'int main() {}\n'],
    ['a last line that its fence follows directly', '```cpp\nint main() {\n}```', 'int main() {\n}\n'],
    [
      'such a line, and words behind it',
      '```cpp\nint main() {\n}```\n\nRun it:\n```sh\nmake\n```',
      'int main() {\n}\n',
    ],
    ['a fence that was forgotten at the end', '```cpp\nint main() {}\n', 'int main() {}\n'],
  ])('with %s holds a program', (_what, text, source) => {
    expect(extractProgram(text)).toEqual({ source });
  });

  const program = '#include <iostream>\nint main() {\n  std::cout << 1;\n}\n';
  const parent = program.replace('<< 1', '<< 0 + 1');
  test.each([
    ['no fence, after its idea', `IDEA: one\n\n${program}\nIt prints one.`],
    ['its parent before it', `Now:\n\`\`\`cpp\n${parent}\`\`\`\nBetter:\n\`\`\`cpp\n${program}\`\`\``],
    [
      'a longer one in its thoughts',
      `<think>\n\`\`\`cpp\n${parent}\`\`\`\n</think>\n\`\`\`cpp\n${program}\`\`\``,
    ],
    ['a block that searches nothing around it', `<<<<<<< SEARCH\n=======\n${program}>>>>>>> REPLACE`],
    ['less than half of the lines before', `\`\`\`cpp\n${program}\`\`\``],
  ])('with %s holds a program in the place of changes, too', (_what, text) => {
    const base = `${program}${'// a library of many lines\n'.repeat(100)}`;
    expect(readProposal({ text, finish: 'stop' }, base)).toEqual({ source: program });
  });

  test('with the old program behind the new one, for comparison, holds the new one, also where it is asked for whole', () => {
    const text = `Better:\n\`\`\`cpp\n${program}\`\`\`\nFor comparison, the old one:\n\`\`\`cpp\n${parent}\`\`\``;
    expect(readProposal({ text, finish: 'stop' }, parent)).toEqual({ source: program });
    expect(readProposal({ text, finish: 'stop' }, null, parent)).toEqual({ source: program });
  });

  test('that has the block of a function alone is no program in the place of changes', () => {
    const text = '```cpp\nint score() {\n  return 0;\n}\n```';
    expect(readProposal({ text, finish: 'stop' }, program.repeat(9)).source).toBeNull();
  });

  test('that was cut off, or has none, does not', () => {
    expect(readProposal({ text: program, finish: 'length' }, null).source).toBeNull();
    expect(extractProgram('```cpp\nint main() {')).toMatchObject({ source: null, trouble: /./ });
    expect(extractProgram('I would rather not.')).toMatchObject({ source: null });
  });

  test.each([
    ['**IDEA:** swap two at once\n```cpp\nx\n```', 'swap two at once'],
    ['idea: lower\ncase', 'lower'],
    ['```cpp\nx\n```\nI swapped two.', 'I swapped two.'],
    ['<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE', 'otherwise'],
  ])('says what it is about: %j', (text, idea) => {
    expect(extractIdea(text, 'otherwise')).toBe(idea);
  });
});

test('functions are found whole, and what is no function is none', () => {
  const source =
    'struct S {\n  int f() { return 1; }\n};\nint g(int a) {\n  if (a) { return 2; }\n  return 3;\n}\nint main() {\n}\n';
  expect(functionsIn(source)).toEqual([
    'int g(int a) {\n  if (a) { return 2; }\n  return 3;\n}',
    'int main() {\n}',
  ]);
  expect(functionsIn('int broken() {\n')).toEqual([]);
});
