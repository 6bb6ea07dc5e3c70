/** What prompts tell of programs: scores, differences, losses and times as they are, what others do, what was repaired. */
import { expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/core/model.ts';
import type { CaseOutcome } from '../../../src/core/program.ts';
import {
  changeTo,
  evolved,
  evolvingTask,
  evolvingTemplate,
  fence,
  notesOf,
  programIn,
} from '../../support/evolving.ts';

type Scene = NonNullable<Parameters<typeof evolved>[0]>;

const said = ({ messages }: ModelRequest) =>
  messages
    .slice(2)
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n\n');

async function told(scene: Scene) {
  const asked: { role: string; branch: string; text: string }[] = [];
  const run = await evolved({
    ...scene,
    reply: (request, call, world) => {
      asked.push({ role: call.role, branch: call.branch, text: said(request) });
      return scene.reply?.(request, call, world) ?? null;
    },
  });
  const changes = asked.filter(({ text }) => /one targeted change/.test(text)).map(({ text }) => text);
  return { ...run, asked, changes };
}

const alone = {
  operators: { change: 1, rewrite: 0, tune: 0 },
  islands: 1,
  room: { beginnings: 1 },
  linesPerIsland: 1,
};

test('scores are told as they are, with the difference to parent and best; shares of the best are not', async () => {
  const { changes, events } = await told({ settings: { ...alone, maxGenerations: 2 } });
  const last = changes.at(-1) ?? '';
  expect(changes.join('\n')).not.toMatch(/\d %/);
  expect(changes.join('\n')).toMatch(
    /How gen\d+_id\d+ does on 30 cases \(more is better\): mean score \d+; \d+(\.\d+)? (better|worse) than its parent gen/,
  );
  expect(last).toMatch(
    /Where it loses most to the best known:\n- c\d+ \(N \d+\) \d+: loses \d+(\.\d+)? to \d+/,
  );
  expect(last).toMatch(
    /CPU time, which counts: at most \d+ of 2000 ms a case \(more than 1800 ms is a failure\); on the wall/,
  );
  expect(notesOf(events, 'candidate').length).toBeGreaterThan(5);
});

test('with relative scoring, differences are relative points, which no rounding hides', async () => {
  const task = { scoring: 'relative' as const };
  const { changes } = await told({ settings: { ...alone, maxGenerations: 2 }, task });
  expect(changes.at(-1)).toContain('differences in relative points, of 1000000000 a case');
});

test('numbers that all inputs share are not told', async () => {
  const { evaluate } = evolvingTask();
  const withConstant: typeof evaluate = async (...asked) => {
    const found = await evaluate(...asked);
    const data = found.data as { cases: CaseOutcome[] };
    const cases = data.cases.map((each) => ({ ...each, features: { ...each.features, M: 7 } }));
    return { ...found, data: { ...data, cases } };
  };
  const { changes } = await told({
    settings: { ...alone, maxGenerations: 1 },
    task: { evaluate: withConstant },
  });
  expect(changes.at(-1)).toMatch(/\(N \d+\)/);
  expect(changes.at(-1)).not.toContain('M 7');
});

test('what a program writes to standard error is shown', async () => {
  const { evaluate } = evolvingTask();
  const speaking: typeof evaluate = async (...asked) => {
    const found = await evaluate(...asked);
    const data = found.data as { cases: CaseOutcome[] };
    return {
      ...found,
      data: { ...data, cases: data.cases.map((each) => ({ ...each, said: 'steps=1200' })) },
    };
  };
  const { changes } = await told({ settings: { ...alone, maxGenerations: 1 }, task: { evaluate: speaking } });
  expect(changes.at(-1)).toContain('standard error ends: steps=1200');
});

test('calls side by side differ: each is told how many others are asked the same', async () => {
  const settings = { ...alone, linesPerIsland: 3, maxGenerations: 1, populationSize: 3 };
  const { changes } = await told({ settings });
  expect(changes).toHaveLength(3);
  expect(new Set(changes).size).toBe(3);
  const asked = changes.map(
    (text) => /the same\. So that not all do the same, yours is about ([^,]*)/.exec(text)?.[1],
  );
  expect(new Set(asked).size).toBe(3);
  // None is asked for a worse idea than another.
  expect(changes.join('\n')).not.toMatch(/second best|third best|expect most/);
});

test('an idea that was repaired came to something, keeps its words, and is no failure', async () => {
  const { changes, events } = await told({
    settings: { ...alone, maxGenerations: 1, populationSize: 4 },
    reply: (_request, { branch, role }) => {
      if (role !== 'solver') return null;
      if (branch.includes('gen01_id01'))
        return changeTo('  print();', '  improve(9);\n  CRASH\n  print();', 'look further');
      return null;
    },
  });
  const repaired = notesOf(events, 'candidate').find(({ operator }) => operator === 'repair');
  expect(repaired).toMatchObject({
    status: 'evaluated',
    summary: 'look further',
    parameters: { repair: 'taken out' },
  });
  expect(changes.at(-1)).not.toMatch(/came to nothing[\s\S]*look further/);
});

const flaky = evolvingTemplate.replace('  print', '  improve(1);\n  improve(2);\n  CRASH\n  print');

test('a program of its user’s that fails is repaired, shown, and no template takes its place', async () => {
  const { asked, events } = await told({
    settings: {
      ...alone,
      given: [{ name: 'mine.cpp', source: flaky }],
      maxGenerations: 1,
      populationSize: 2,
    },
  });
  const notes = notesOf(events, 'candidate');
  expect(notes.slice(0, 2).map(({ operator, status }) => [operator, status])).toEqual([
    ['given', 'failed'],
    ['repair', 'evaluated'],
  ]);
  expect(notes.some(({ operator }) => operator === 'template')).toBe(false);
  expect(asked.find(({ role }) => role === 'solver')?.text).toContain('improve(2);\n  CRASH');
  // One island and its own program: there is nothing to devise.
  expect(asked.some(({ role }) => role === 'strategist')).toBe(false);
});

test('where no repair helps, its sound cases count, and the search goes on from it', async () => {
  const { end, events, changes } = await told({
    settings: {
      ...alone,
      given: [{ name: 'mine.cpp', source: flaky }],
      maxGenerations: 1,
      populationSize: 2,
    },
    reply: (request, { role }) => {
      if (role !== 'solver' || !/compiles, and fails/.test(said(request))) return null;
      return `IDEA: nothing\n\n${fence(programIn(request).replace('improve(1)', 'improve(3)'))}`;
    },
  });
  expect(
    notesOf(events, 'doing')
      .map(({ what }) => what)
      .join(),
  ).toContain('case by case');
  expect(
    notesOf(events, 'candidate')
      .filter(({ operator }) => operator === 'given')
      .at(-1)?.status,
  ).toBe('evaluated');
  expect(changes.join()).toContain('improve(2);');
  expect(end.outcome).toBe('scored');
});

test('a repair that runs and is worth less than its sound cases does not take its place', async () => {
  const { events } = await told({
    settings: {
      ...alone,
      given: [{ name: 'mine.cpp', source: flaky }],
      maxGenerations: 1,
      populationSize: 2,
    },
    reply: (request, { role }) => {
      if (role !== 'solver' || !/compiles, and fails/.test(said(request))) return null;
      return `IDEA: worth nothing\n\n${fence(evolvingTemplate.replace('10', '-900'))}`;
    },
  });
  const notes = notesOf(events, 'candidate');
  expect(notes.find(({ operator }) => operator === 'repair')?.status).toBe('evaluated');
  expect(notes.filter(({ operator }) => operator === 'given').at(-1)?.status).toBe('evaluated');
  expect(notes.some(({ operator }) => operator === 'template')).toBe(false);
});

test('beside one that nothing mends they count as well, though the template was taken meanwhile', async () => {
  const { events } = await told({
    settings: {
      ...alone,
      islands: 2,
      room: { beginnings: 2 },
      given: [
        { name: 'broken.cpp', source: `${flaky}BROKEN` },
        { name: 'mine.cpp', source: flaky },
      ],
      maxGenerations: 1,
      populationSize: 2,
    },
    reply: (request, { role }) => {
      if (role !== 'solver' || !/compiles, and fails|does not compile/.test(said(request))) return null;
      if (!said(request).includes('compiles, and fails')) return fence(programIn(request));
      return `IDEA: nothing\n\n${fence(programIn(request).replace('improve(1)', 'improve(3)'))}`;
    },
  });
  const given = notesOf(events, 'candidate').filter(({ operator }) => operator === 'given');
  expect(given.some(({ status }) => status === 'evaluated')).toBe(true);
});

test('islands whose first programs are worse than the starting program work on that, and not where they are better', async () => {
  const good = evolvingTemplate
    .replace('10', '39')
    .replace('  print', '  improve(1);\n  improve(2);\n  improve(3);\n  print');
  const bad = evolvingTemplate.replace('10', '-90');
  const settings = { ...alone, maxGenerations: 1, populationSize: 2 };
  const better = await told({ settings, task: { template: good } });
  expect(better.changes.join()).toContain('const double A = 39;');
  const worse = await told({ settings, task: { template: bad } });
  expect(worse.changes.join()).not.toContain('A = -90;');
});

test('a choice between equals says that one is as good as the next', async () => {
  const other = `${evolvingTemplate}int unused;\n`;
  const { evaluate } = evolvingTask();
  const { events } = await told({
    settings: {
      ...alone,
      given: [evolvingTemplate, other].map((source, at) => ({ name: `${at}.cpp`, source })),
      maxGenerations: 1,
      populationSize: 1,
    },
    task: { evaluate: (_source, names, context) => evaluate(evolvingTemplate, names, context) },
    reply: (_request, { role }) => (role === 'solver' ? 'I cannot.' : null),
  });
  expect(notesOf(events, 'final')[0]?.because).toMatch(/, as good as the next, gen\d+_id\d+/);
});

test('a line is named by its best program, and a hint that is asked for is said once', async () => {
  const hints = ['Try swaps.'];
  const { changes, asked } = await told({
    settings: { ...alone, maxGenerations: 2 },
    reply: (_request, { branch }, world) => {
      const hint = /gen01_id0[23]/.test(branch) ? hints.pop() : undefined;
      if (hint) void world.store.post('run', { kind: 'tell', text: hint, atMs: 1 });
      return null;
    },
  });
  expect(changes.at(-1)).toMatch(/began as: .*\. What its best program, gen\d+_id\d+, came to: /);
  const directed = asked.find(({ text }) => /asks for this:\n\nTry swaps\./.test(text));
  expect(directed?.text.match(/Try swaps\./g)).toHaveLength(1);
});
