/** What sessions learn: written with the files of a session, found by later ones and by people. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knowledgeAt } from '../../src/composition/ahc-knowledge.ts';
import { type Knowledge, knowledgeSchema } from '../../src/families/ahc/knowledge/document.ts';
import { searchKnowledge } from '../../src/families/ahc/knowledge/search.ts';
import { knowledgeTools } from '../../src/families/ahc/knowledge/tools.ts';
import { foldSession } from '../../src/families/ahc/session/fold.ts';
import { allTouched, filesOf } from '../../src/families/ahc/session/projection.ts';
import type { SessionFacts } from '../../src/families/ahc/session/session-facts.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { practiceWorkspace } from './practice-workspace.ts';
import { candidate, facts, journal, note, start } from './session/journals.ts';

const first = candidate(0, 1, { operator: 'initial', source: 'int main() {\n  greedy();\n}\n' });
const better = candidate(1, 1, {
  parents: [first.id],
  summary: 'swaps two parcels that are near',
  source: 'int main() {\n  greedy();\n  swap_near();\n}\n',
  score: 18,
  parameters: { prompt: 'mutation_prompts[1]', role: 'solver' },
});
const worse = candidate(1, 2, {
  parents: [first.id],
  source: 'int main() {\n  wait();\n}\n',
  score: 11,
  parameters: { prompt: 'change', role: 'solver' },
});
const best = (id: string, generation: number, score: number) =>
  note('best', { id, generation, score, because: 'better' });

function learnedBy(more: Partial<SessionFacts>): Knowledge {
  const state = foldSession(
    journal([
      start,
      note('analysis', {
        analysis: { title: 'Vans', problem_type_tags: ['routing'] },
        origin: 'model',
      }),
      note('candidate', first),
      best(first.id, 0, 15),
      note('candidate', better),
      best(better.id, 1, 18),
      note('candidate', worse),
    ]),
  );
  const configuration = { 'evolution.mutation_prompts': ['Do it.', 'Move what is near. {code_snippet}'] };
  const files = filesOf(state, { ...facts, configuration, ...more }, allTouched(state));
  return knowledgeSchema.parse(JSON.parse(files['knowledge.json'] ?? ''));
}

test('a session keeps the lines that made a program better, and the credit of each prompt', () => {
  const { pieces, prompts, tags, title } = learnedBy({});
  expect({ tags, title }).toEqual({ tags: ['routing'], title: 'Vans' });
  expect(pieces).toEqual([
    {
      id: `${facts.id}/gen01_id01`,
      operator: 'change',
      summary: 'swaps two parcels that are near',
      gain: 3,
      share: 0.2,
      code: '  swap_near();',
    },
  ]);
  const common = { made: 1, evaluated: 1, tokens: 120 };
  expect(prompts).toEqual([
    { ...common, name: 'change', words: '', betterThanParents: 0, improvements: 0, gain: 0 },
    {
      ...{ ...common, name: 'mutation_prompts[1]', words: 'Move what is near. {code_snippet}' },
      ...{ betterThanParents: 1, improvements: 1, gain: 3 },
    },
  ]);
  // Where less is better, the same scores are the other way round.
  expect(learnedBy({ direction: 'minimise' }).pieces).toMatchObject([{ code: '  wait();', gain: 4 }]);
});

test('what fits more words comes first, and what was learned of the own contest before the rest', () => {
  const known = [learnedBy({}), learnedBy({ contest: 'ahc030', id: 'other', direction: 'minimise' })];
  const ids = (keywords: readonly string[], contest = '') =>
    searchKnowledge(known, { keywords, contest }).map(({ id }) => id);
  expect(ids(['swap'])).toEqual([`${facts.id}/gen01_id01`]);
  expect(ids(['routing', 'wait'])).toEqual(['other/gen01_id02', `${facts.id}/gen01_id01`]);
  expect(ids(['nowhere'])).toEqual([]);
  expect(ids(['nowhere'], 'ahc030')).toEqual(['other/gen01_id02']);
  expect(ids([])).toHaveLength(2);
});

test('an agent looks it up with a tool', async () => {
  const [tool] = knowledgeTools(async () => [learnedBy({})], 'polya002');
  const context = {} as Parameters<NonNullable<typeof tool>['call']>[1];
  const found = await tool?.call({ keywords: ['near'] }, context);
  expect(found?.text).toContain(
    'polya002, change, +20.0 %: swaps two parcels that are near\n      swap_near();',
  );
  expect(found?.data).toEqual({ found: 1 });
  const [empty] = knowledgeTools(async () => [], 'polya002');
  expect(await empty?.call({}, context)).toMatchObject({ data: { found: 0 } });
});

describe('`polya ahc knowledge`', () => {
  const place = newPlace();
  const folder = practiceWorkspace(place.folder, { inputs: 1 });
  const here = { ...place, folder };
  const put = (session: string, text: string, workspace = folder) => {
    const file = join(workspace, session, 'knowledge.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const run = (...argv: string[]) => polya(here, ['ahc', 'knowledge', ...argv]);

  test('says that nothing is known yet', async () => {
    expect((await run('list')).out).toContain('No session here has made a program better yet');
  });

  test('tells of prompts where no change has paid', async () => {
    put('poor', JSON.stringify({ ...learnedBy({}), pieces: [] }));
    const { out } = await run('list');
    expect(out).toMatch(/No change made a program better[\s\S]*mutation_prompts\[1\]/);
    put('poor', '');
  });

  test('lists, finds and shows what sessions of this workspace and of those beside it learned', async () => {
    put('night', JSON.stringify(learnedBy({})));
    put('damaged', '{"version": 1');
    put('later', '{"version": 2}');
    const beside = join(dirname(folder), 'ahc030');
    put(
      'other',
      JSON.stringify(learnedBy({ contest: 'ahc030', id: 'other', direction: 'minimise' })),
      beside,
    );
    expect((await knowledgeAt(folder)).map(({ contest }) => contest).toSorted()).toEqual([
      'ahc030',
      'polya002',
    ]);
    const { out, code } = await run('list');
    expect(code).toBe(0);
    expect(out).toMatch(/gen01_id01 +polya002 +20\.0 % +swaps two parcels/);
    expect(out).toMatch(/mutation_prompts\[1\] .* 1 \(100\.0 %\)/);
    expect((await run('search', 'swap')).out).toContain('gen01_id01');
    expect((await run('search', 'swap')).out).not.toContain('ahc030');
    expect((await run('search', 'nowhere')).out).toContain('Nothing that sessions learned fits nowhere');
    expect((await run('show', 'gen01_id01')).out).toMatch(/20\.0 % better[\s\S]*swap_near\(\);/);
    const json = JSON.parse((await run('list', '--json')).out);
    expect(json.pieces).toHaveLength(2);
    expect(json.prompts).toHaveLength(4);
    expect(JSON.parse((await run('show', 'other/gen01_id02', '--json')).out)).toMatchObject({
      contest: 'ahc030',
    });
  });

  test('tells what is wrong with a question', async () => {
    const missing = await run('show', 'gen99_id01');
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining('No piece is called gen99_id01'),
    ]);
    const empty = await run('search', ' ');
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('The keywords are empty')]);
  });
});
