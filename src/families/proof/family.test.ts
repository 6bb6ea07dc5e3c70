/** A problem to be proven: its spec, its candidate, its rubric, and what makes it another problem. */
import { expect, test } from 'vitest';
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
