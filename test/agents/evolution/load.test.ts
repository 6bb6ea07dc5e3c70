/** A program that runs until its clock ends comes less far on a busy machine: load is not taken for a worse idea. */
import { expect, test } from 'vitest';
import { type CaseOutcome, programEvaluationIn } from '../../../src/core/program.ts';
import { changeTo, evolved, evolvingTask, evolvingTemplate, fence, notesOf } from '../../support/evolving.ts';

/** `shareOf`: of a processor, for each evaluation; what is lacking costs points. */
async function searched(
  shareOf: (source: string, earlier: readonly string[]) => number,
  { change, wallMs = 1700 }: { change: string; wallMs?: number },
) {
  const sources: string[] = [];
  const prompts: string[] = [];
  const evaluate: ReturnType<typeof evolvingTask>['evaluate'] = async (source, names, context) => {
    const found = await evolvingTask().evaluate(source, names, context);
    const share = shareOf(source, sources);
    sources.push(source);
    const under = (each: CaseOutcome): CaseOutcome => ({
      ...each,
      ...{
        wallMs,
        cpuMs: wallMs * share,
        score: (each.score ?? 0) - Math.round((1 - share) * 500),
      },
    });
    const { cases, ...rest } = programEvaluationIn(found);
    return { score: null, data: { ...rest, cases: cases.map(under) } };
  };
  const run = await evolved({
    task: { evaluate },
    settings: {
      islands: 1,
      room: { beginnings: 1 },
      linesPerIsland: 1,
      maxGenerations: 1,
      populationSize: 2,
      ...{
        operators: { change: 1, rewrite: 0, tune: 0 },
        heldOutCases: 0,
      },
      given: [{ name: 'mine.cpp', source: evolvingTemplate }],
    },
    reply: ({ messages }, { role, branch }) => {
      if (role !== 'solver') return null;
      prompts.push(JSON.stringify(messages.at(-1)));
      return branch.includes('gen01_id01')
        ? changeTo('  print();', `  ${change};\n  print();`, 'the change')
        : `IDEA: nothing new\n\n${fence(evolvingTemplate)}`;
    },
  });
  expect(run.replay).toMatchObject({ isSame: true });
  const child = notesOf(run.events, 'candidate').find(({ id }) => id === 'gen01_id01');
  const again = notesOf(run.events, 'more-cases').filter(({ why }) => why === 'load');
  const champion = notesOf(run.events, 'best').at(-1)?.id;
  return { child, again, champion, prompts };
}

const isLoadedSince = (text: string) => (source: string, earlier: readonly string[]) =>
  source.includes(text) || earlier.some((each) => each.includes(text)) ? 0.6 : 1;

test('what is measured under load, and better beside its parent, is not dropped and becomes the best', async () => {
  const load = isLoadedSince('improve(7)');
  const { child, again, champion } = await searched(load, { change: 'improve(7)' });
  expect(child).toMatchObject({ status: 'evaluated' });
  expect(champion).toBe('gen01_id01');
  expect(again.length).toBeGreaterThan(0);
});

test('what is worse beside its parent too is dropped, by what both did under the same load', async () => {
  const { child, champion } = await searched(isLoadedSince('worsen(3)'), { change: 'worsen(3)' });
  expect(child).toMatchObject({ status: 'cut' });
  expect(Number.parseFloat(child?.detail ?? '')).toBeLessThan(120);
  expect(champion).not.toBe('gen01_id01');
});

test('where the load stays unlike nothing is called sure, and what is told of it says so', async () => {
  const unlike = (source: string) => (source.includes('improve(7)') ? 0.6 : 1);
  const { child, prompts } = await searched(unlike, { change: 'improve(7)' });
  expect(child).toMatchObject({ status: 'evaluated', detail: '' });
  expect(prompts.at(-1)).toMatch(
    /worse \(not sure: measured under unlike load, with 60 % of a processor against 100 %\)/,
  );
});

test('what seems better because its parent was under load is measured again before it is the best', async () => {
  const isRelieved = (source: string, earlier: readonly string[]) =>
    source.includes('worsen(3)') || earlier.some((each) => each.includes('worsen(3)')) ? 1 : 0.6;
  const { again, champion } = await searched(isRelieved, { change: 'worsen(3)' });
  expect(again.length).toBeGreaterThan(0);
  expect(champion).not.toBe('gen01_id01');
});

test('programs that end long before the limit come as far under load, and are measured once', async () => {
  const { again } = await searched(isLoadedSince('worsen(3)'), { change: 'worsen(3)', wallMs: 300 });
  expect(again).toEqual([]);
});
