/** Every command of the program, whole runs of all families among them, beside secrets: none of them is told or kept anywhere. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { made } from '../before/calls.ts';
import { polya } from '../cli/shell.ts';
import { echoModel } from '../support/model-server/echo.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { typed } from '../support/typed.ts';
import { canary, canaryGroups, leaks, planted } from './canary.ts';

test.each(canaryGroups.map((group) => [group.name, group] as const))('%s', async (_name, group) => {
  const around = planted(group);
  const told: string[] = [];
  await made(group, {
    ...around,
    onAnswer: (call, { code, out, err }) => {
      expect([call, canary.exec(`${out}${err}`)?.[0]]).toEqual([call, undefined]);
      told.push(`${call} ${code}`);
    },
  });
  expect(told).toHaveLength(group.calls.length);
  expect(leaks(around)).toEqual([]);
});

/** What each family asks of its model. */
const families: Readonly<Record<string, { from?: string; in?: string; argv: readonly string[] }>> = {
  aoc: {
    argv: typed`aoc run --site practice --year 2000 --day 1 --lang python --max-tool-calls 3`,
  },
  arc: {
    from: 'induction-graph',
    argv: typed`arc run --task-file tasks_challenges.json --task-ids mirror --pictures none`,
  },
  proof: { from: 'verify-loop', argv: ['proof', 'solve', 'problem.md'] },
  qa: { argv: ['qa', 'ask', 'What is it?', '--answer', '7'] },
  ahc: {
    from: 'session',
    in: 'workspace/polya001',
    argv: typed`ahc solve --session-name canary --foreground --max-generations 1 --time-limit 20`,
  },
};

test.each(Object.entries(families))(
  'a run of %s tells its provider no secret but its key',
  async (name, { argv, ...group }) => {
    const around = planted({ name, calls: [], ...group });
    const asked: string[] = [];
    const server = await startModelServer({
      model: echoModel,
      onExchange: ({ text }) => void asked.push(text),
    });
    const folder = join(around.root, group.in ?? '');
    const env = { ...around.env, OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
    const limits = ['--max-tokens', '60000', ...(name === 'ahc' ? [] : ['--max-minutes', '0.5'])];
    const { out, err } = await polya({ folder, env }, [
      ...argv,
      '--model',
      'openai-compatible/any',
      ...limits,
    ]);
    expect(asked.length, `${out}${err}`).toBeGreaterThan(0);
    expect([...asked, out, err].filter((text) => canary.test(text))).toEqual([]);
    expect(leaks(around)).toEqual([]);
    await server.close();
  },
);
