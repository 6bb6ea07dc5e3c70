/** What sessions learn: written with the files of a session, found by later ones and by people. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SessionFacts } from '../../src/apps/ahc/session/context.ts';
import { sessionFiles } from '../../src/apps/ahc/session/files.ts';
import { foldSession } from '../../src/apps/ahc/session/fold.ts';
import {
  itemWorth,
  type Knowledge,
  knowledgeSchema,
  searchKnowledge,
  searchPrompts,
} from '../../src/families/ahc/knowledge/knowledge.ts';
import { readKnowledge } from '../../src/open/families/ahc/knowledge.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { practiceWorkspace } from './practice-workspace.ts';
import { candidate, facts, header, journal, note, start } from './session/journals.ts';

const first = candidate(0, 1, { operator: 'initial', source: 'int main() {\n  greedy();\n}\n' });
const better = candidate(1, 1, {
  parents: [first.id],
  summary: 'swaps two parcels that are near',
  source: 'int main() {\n  greedy();\n  swap_near();\n}\n',
  score: 18,
  parameters: { prompt: 'mutation_prompts[1]', wording: 'Move what is near. {code_snippet}', role: 'solver' },
});
const worse = candidate(1, 2, {
  parents: [first.id],
  source: 'int main() {\n  wait();\n}\n',
  score: 11,
  parameters: { prompt: 'change', role: 'solver' },
});
const best = (id: string, generation: number, score: number) =>
  note('best', { id, generation, score, because: 'better' });

function learnedBy(more: Partial<SessionFacts>, candidates = [first, better, worse]): Knowledge {
  const state = foldSession(
    journal([
      { ...start, body: { ...header, prompts: { change: 'Make it better.' } } },
      note('analysis', {
        analysis: { title: 'Vans', problem_type_tags: ['routing'] },
        origin: 'model',
      }),
      ...candidates.flatMap((each, at) => [
        note('candidate', each),
        ...(at < 2 ? [best(each.id, at, each.score ?? 0)] : []),
      ]),
    ]),
  );
  const files = sessionFiles(state, { ...facts, ...more }, { isAlive: false });
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
      before: 15,
      after: 18,
      code: '  swap_near();',
    },
  ]);
  const named = (name: string, words: string) => ({ id: `${facts.id}/${name}`, name, words });
  const common = { made: 1, evaluated: 1, tokens: 120 };
  expect(prompts).toEqual([
    { ...common, ...named('change', 'Make it better.'), betterThanParents: 0, improvements: 0, gain: 0 },
    {
      ...common,
      ...named('mutation_prompts[1]', 'Move what is near. {code_snippet}'),
      betterThanParents: 1,
      improvements: 1,
      gain: 3,
    },
  ]);
  // Where less is better, the same scores are the other way round.
  expect(learnedBy({ direction: 'minimise' }).pieces).toMatchObject([
    { code: '  wait();', before: 15, after: 11 },
  ]);
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

test('words are found by their beginnings, in names of code, and in Japanese without spaces', () => {
  const other = {
    ...better,
    summary: '近い荷物を交換する',
    source: 'int main() {\n  greedy();\n  twoOpt();\n}\n',
  };
  const known = [learnedBy({}), { ...learnedBy({ id: 'ja' }, [first, other]), tags: [] }];
  const ids = (...keywords: string[]) => searchKnowledge(known, { keywords }).map(({ from }) => from.session);
  expect(ids('parcel')).toEqual([facts.id]);
  expect(ids('opt')).toEqual(['ja']);
  expect(ids('交換')).toEqual(['ja']);
  expect(ids('焼きなまし')).toEqual([]);
  // In one letter and in a part of a word there is nothing to be found.
  expect([ids('s'), ids('arcel'), ids('荷')]).toEqual([[], [], ['ja']]);
});

test('a template that is worth nothing makes no piece the best for ever', () => {
  const nothing = { ...first, score: 0 };
  const grown = candidate(2, 1, { parents: [better.id], source: 'x', score: 40 });
  const { pieces } = learnedBy({}, [nothing, { ...better, score: 0.1 }, { ...grown, score: 40 }]);
  const [one, two] = searchKnowledge([{ ...learnedBy({}), pieces }], {});
  // From nothing to a little: as large as it can be, and no larger.
  expect([one?.before, one?.after, two?.before, two?.after]).toEqual([0, 0.1, 0.1, 40]);
  expect(itemWorth({ before: 0, after: 0.1 })).toBe(1);
  expect(itemWorth({ before: 0, after: 0 })).toBe(0);
});

test('what stood at one place of the configuration, one after the other, is two prompts', () => {
  const later = { ...worse, parameters: { ...better.parameters, wording: 'Other words. {code_snippet}' } };
  const { prompts } = learnedBy({}, [first, better, later]);
  expect(prompts).toMatchObject([
    { id: `${facts.id}/mutation_prompts[1]`, words: 'Move what is near. {code_snippet}', made: 1 },
    { id: `${facts.id}/mutation_prompts[1]~2`, words: 'Other words. {code_snippet}', made: 1 },
  ]);
});

test('one hit of one try is no better than many of many', () => {
  const once = { ...learnedBy({}).prompts[1], betterThanParents: 1, made: 1 } as Knowledge['prompts'][number];
  const often = { ...once, words: 'Often.', betterThanParents: 12, made: 20 };
  const repaired = { ...once, name: 'repair', words: 'Mend it.' };
  const known = [{ ...learnedBy({}), prompts: [once, repaired, often] }];
  expect(searchPrompts(known, []).map(({ words }) => words)).toEqual([
    ...['Often.', 'Move what is near. {code_snippet}', 'Mend it.'],
  ]);
  // What is repaired was worth nothing before: there is nothing to be better than.
  expect(searchPrompts(known, ['mend'])).toMatchObject([{ interval: null }]);
});

test('a table in one line is cut', () => {
  const { pieces } = learnedBy({}, [first, { ...better, source: `int table[] = {${'1,'.repeat(50_000)}};` }]);
  expect(pieces[0]?.code.length).toBeLessThan(4_100);
});

const contestsOf = (known: readonly Knowledge[]) => known.map(({ contest }) => contest).toSorted();

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
    rmSync(join(folder, 'poor'), { recursive: true });
  });

  const beside = join(dirname(folder), 'ahc030');

  test('lists, finds and shows what sessions of this workspace and of those beside it learned', async () => {
    put('night', JSON.stringify(learnedBy({})));
    const other = learnedBy({ contest: 'ahc030', id: 'other', direction: 'minimise' });
    put('other', JSON.stringify({ ...other, isScript: false }), beside);
    // Not a workspace: it is somebody else's, whatever it holds.
    expect(contestsOf(readKnowledge(folder).known)).toEqual(['polya002']);
    writeFileSync(join(beside, 'ahc_config.yaml'), '');
    expect(contestsOf(readKnowledge(folder).known)).toEqual(['ahc030', 'polya002']);
    const { out, code, err } = await run('list');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/gen01_id01 +polya002 \(script\) +15 to 18 \(20\.0 %\) +swaps two parcels/);
    expect(out).toMatch(/gen01_id02 +ahc030 +15 to 11 \(26\.7 %\)/);
    // The same words in two sessions are one prompt.
    expect(out).toMatch(
      /mutation_prompts\[1\] +ahc030 polya002 \(script\) +2 +2 +2 +1: 50 % \(9 % to 91 %\)/,
    );
    expect((await run('list', '--limit', '1')).out).toMatch(/… and 1 more[\s\S]*… and 1 more/);
    expect((await run('search', 'swap')).out).toContain('gen01_id01');
    expect((await run('search', 'swap')).out).not.toContain('ahc030');
    expect((await run('search', 'MOVES')).out).not.toContain('mutation_prompts');
    expect((await run('search', 'move')).out).toContain('mutation_prompts[1]');
    expect((await run('search', 'nowhere')).out).toContain('Nothing that sessions learned fits nowhere');
    expect((await run('show', 'gen01_id01')).out).toMatch(/score 15 to 18 \(20\.0 %\)[\s\S]*swap_near\(\);/);
    expect((await run('show', 'mutation_prompts[1]')).out).toMatch(
      /used 2 times in 2 sessions of ahc030, polya002; replies of a script[\s\S]*Move what is near\. \{code_snippet\}/,
    );
    const json = JSON.parse((await run('list', '--json')).out);
    expect(json.pieces).toHaveLength(2);
    expect(json.prompts).toHaveLength(2);
    expect(JSON.parse((await run('show', 'other/gen01_id02', '--json')).out)).toMatchObject({
      contest: 'ahc030',
      is_script: false,
    });
    expect(JSON.parse((await run('show', 'other/change', '--json')).out)).toMatchObject({
      name: 'change',
      is_own: false,
      words: 'Make it better.',
    });
  });

  test('tells sessions of one name and one second apart by their contest', async () => {
    put('same', JSON.stringify(learnedBy({ id: 'same' })));
    put('same', JSON.stringify(learnedBy({ id: 'same', contest: 'ahc030' })), beside);
    const both = await run('show', 'same/gen01_id01');
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('ahc030/same/gen01_id01')]);
    expect((await run('show', 'ahc030/same/gen01_id01')).out).toContain('swap_near();');
    rmSync(join(folder, 'same'), { recursive: true });
    rmSync(join(beside, 'same'), { recursive: true });
  });

  test('names what is there and is no knowledge, and goes on without it', async () => {
    put('damaged', '{"version": 1');
    put('later', '{"version": 2}');
    put('large', '');
    truncateSync(join(folder, 'large', 'knowledge.json'), 5 * 1024 * 1024);
    mkdirSync(join(folder, 'odd', 'knowledge.json'), { recursive: true });
    const pipe = join(folder, 'pipe', 'knowledge.json');
    mkdirSync(dirname(pipe));
    execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', pipe]);
    const { code, out, err } = await run('list', '--json');
    expect([code, JSON.parse(out).pieces.length]).toEqual([0, 2]);
    expect(err).toMatch(/damaged\/knowledge\.json is damaged: it is no JSON/);
    expect(err).toMatch(/later\/knowledge\.json is of another form, or of another version/);
    expect(err).toMatch(/large\/knowledge\.json cannot be read: It is larger than what sessions write/);
    expect(err).toMatch(/odd\/knowledge\.json cannot be read: It is a folder/);
    expect(err).toMatch(/pipe\/knowledge\.json cannot be read: It is a pipe/);
    expect(contestsOf(readKnowledge(folder).known)).toEqual(['ahc030', 'polya002']);
  });

  test('tells what is wrong with a question', async () => {
    const missing = await run('show', 'gen99_id01');
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining('No piece and no prompt is called gen99_id01'),
    ]);
    const empty = await run('search', ' ');
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('The keywords are empty')]);
  });
});
