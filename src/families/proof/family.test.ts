/** A problem to be proven: its spec, its candidate, its rubric, and what makes it another problem. */
import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../core/define.ts';
import { UserError } from '../../core/errors.ts';
import type { Io } from '../../core/io.ts';
import type { Json } from '../../core/json.ts';
import { proofFamily } from './family.ts';

const rubricYaml = `parts:
  - { points: 3, for: the case of even $n$ }
  - { points: 4, for: "odd $n$" }
deductions: [{ points: 1, for: an unproven lemma }]
notes: Either route counts.
`;
const files: Record<string, string> = {
  'one.md': '# Sums of squares\n\nShow that $x^2 \\ge 0$.\n',
  '/far/Day 1.tex': '%%% problem: Ceva\nFirst.\n%%% problem\nSecond.',
  'proof.md': '\nIt is a square.\nDone.\n\n',
  'rubric.yaml': rubricYaml,
  'rubric.txt': '7 for all, 1 for the idea.\n',
  'five.yaml': 'parts: [{ points: 5, for: x }]',
  'odd.yaml': 'parts: [{ points: 9, for: x }]',
  'broken.yaml': 'parts: [',
};

const family = proofFamily({
  async readBytes(path) {
    const text = files[path];
    if (text === undefined)
      throw new UserError({
        code: 'file-unreadable',
        what: `The file ${path} cannot be read (ENOENT).`,
      });
    return new TextEncoder().encode(text);
  },
  hashText: (text) => text,
});
const load = (reference: Json) => family.load(reference, {} as Io, new AbortController().signal);

test('a file of one problem', async () => {
  const spec = await load({ file: 'one.md' });
  expect(spec).toMatchObject({
    family: 'proof',
    id: 'proof/one',
    title: 'Sums of squares',
    stages: [],
    statement: [{ type: 'text', text: '# Sums of squares\n\nShow that $x^2 \\ge 0$.' }],
  });
  expect(spec.brief.criteria, 'there is no rubric').toBe('');
  const problem = family.open(spec);
  expect(problem.grade, 'nobody knows the truth').toBeUndefined();
  expect([...capabilitiesOf(problem)]).toEqual([]);
});

test('one of several', async () => {
  const spec = await load({ file: '/far/Day 1.tex', problem: 'ceva' });
  expect([spec.id, spec.title]).toEqual(['proof/day-1/ceva', 'Ceva']);
  expect((await load({ file: '/far/Day 1.tex', problem: 2 })).id).toBe('proof/day-1/2');
  await expect(load({ file: '/far/Day 1.tex' })).rejects.toThrow(/holds 2 problems/);
});

test('a proof is the candidate, line by line as it stands in its file', async () => {
  const spec = await load({ file: 'one.md', proof: 'proof.md' });
  const problem = family.open(spec);
  expect(problem.candidate).toEqual({ text: '\nIt is a square.\nDone.' });
  expect([...capabilitiesOf(problem)]).toEqual(['candidate']);
});

test('a rubric is what the criteria say', async () => {
  const { criteria } = (await load({ file: 'one.md', rubric: 'rubric.yaml' })).brief;
  expect(criteria).toContain('- 3 points for the case of even $n$\n- 4 points for odd $n$');
  expect(criteria).toContain('- 1 point off for an unproven lemma\n\nEither route counts.');
  expect((await load({ file: 'one.md', rubric: 'rubric.txt' })).brief.criteria).toContain('1 for the idea.');
});

test('another text, rubric or proof makes another problem; a neighbour in the file does not', async () => {
  const hash = async (reference: Json) => (await load(reference)).contentHash;
  const hashes = await Promise.all([
    hash({ file: 'one.md' }),
    hash({ file: 'one.md', rubric: 'rubric.txt' }),
    hash({ file: 'one.md', rubric: 'rubric.yaml' }),
    hash({ file: 'one.md', proof: 'proof.md' }),
    hash({ file: '/far/Day 1.tex', problem: 1 }),
  ]);
  expect(new Set(hashes).size).toBe(5);
  files['/far/Day 1.tex'] += '\nMore of the second.';
  expect(await hash({ file: '/far/Day 1.tex', problem: 1 })).toBe(hashes[4]);
});

describe('is refused', () => {
  test.each<[string, Json, RegExp]>([
    ['a reference without a file', { problem: 1 }, /does not refer to a problem/],
    ['a reference with more', { file: 'one.md', solution: 'x' }, /does not refer to a problem/],
    ['a file that is not there', { file: 'none.md' }, /none\.md cannot be read/],
    ['a proof that is not there', { file: 'one.md', proof: 'none.md' }, /none\.md cannot be read/],
    ['a rubric of five points', { file: 'one.md', rubric: 'five.yaml' }, /come to 5 points instead of 7/],
    ['a part of nine points', { file: 'one.md', rubric: 'odd.yaml' }, /rubric odd\.yaml cannot be used/],
    ['a rubric that is no YAML', { file: 'one.md', rubric: 'broken.yaml' }, /rubric broken\.yaml cannot/],
    ['a problem number of zero', { file: 'one.md', problem: 0 }, /does not refer/],
  ])('%s', async (_name, reference, reason) => {
    await expect(load(reference)).rejects.toThrow(reason);
  });
});
