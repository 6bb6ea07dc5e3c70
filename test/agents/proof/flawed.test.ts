/**
 * Six proofs with a flaw each, before graders and a reviewer who overlook it every other time: none is accepted without its
 * finding in the result. Three right ones, before the same graders, are accepted in eight calls.
 */
import { expect, test } from 'vitest';
import { proofRecord } from '../../../src/apps/proof/record.ts';
import type { ScriptCall } from '../../../src/models/scripted.ts';
import { hashText } from '../../../src/run/hash.ts';
import { judged, open, proof, proofRun, report, type Said } from '../../support/proof-run.ts';

const flaws = [
  {
    name: 'a missing case',
    problem: 'Show that $n^2 + n$ is even for every integer $n$.',
    text: 'Let $n = 2k$. Then $n^2 + n = 2(2k^2 + k)$, which is even.',
    quote: 'Let $n = 2k$.',
    kind: 'critical-error',
    why: 'Odd numbers are not treated.',
  },
  {
    name: 'a circle',
    problem: 'Show that $\\sqrt{3}$ is irrational.',
    text: 'A rational number times an irrational one is irrational. As $\\sqrt{3} = 3 / \\sqrt{3}$, where $\\sqrt{3}$ is irrational, it is irrational.',
    quote: 'where $\\sqrt{3}$ is irrational',
    kind: 'critical-error',
    why: 'This is what is to be shown.',
  },
  {
    name: 'a lemma without a proof',
    problem: 'Show that there are infinitely many primes of the form $4k + 3$.',
    text: 'Lemma. Each number of the form $4k + 3$ has such a prime divisor. Let $P$ be the product of all such primes; the lemma for $4P - 1$ gives another one.',
    quote: 'Each number of the form $4k + 3$ has such a prime divisor.',
    kind: 'justification-gap',
    why: 'The lemma is not proven.',
  },
  {
    name: 'a confession',
    problem: 'Show that every even perfect number has the form $2^{p-1}(2^p - 1)$.',
    text: 'If $2^p - 1$ is prime, the divisors of $2^{p-1}(2^p - 1)$ add up to twice it. That there are no others I could not show.',
    quote: 'That there are no others I could not show.',
    kind: 'proves-less',
    why: 'The direction that is asked for is left open.',
  },
  {
    name: 'a special case',
    problem: 'Show that $a^2 + b^2 \\ge 2ab$ for all real $a$, $b$.',
    text: 'Without loss of generality $a = b$. Then both sides are $2a^2$.',
    quote: 'Without loss of generality $a = b$.',
    kind: 'proves-less',
    why: 'It is shown for equal numbers alone.',
  },
  {
    name: 'a wrong bound',
    problem: 'Show that $n! \\ge 2^n$ for $n \\ge 4$.',
    text: 'By induction: $4! = 24 \\ge 16$, and $(n + 1)! = (n + 1)\\, n! \\ge 5 \\cdot 2^n \\ge 2^{n + 2}$, so even $n! \\ge 2^{2n}$.',
    quote: 'so even $n! \\ge 2^{2n}$',
    kind: 'critical-error',
    why: 'False for $n = 4$: $24 < 256$.',
  },
] as const;

type Flaw = (typeof flaws)[number];

/** Every other time, by chance that is the same at the same call. */
const coin = (seed: string, { role, branch, index }: ScriptCall): boolean =>
  hashText(`${seed} ${role} ${branch} ${index}`).charCodeAt(0) % 2 === 0;

const replies: Readonly<Record<string, (flaw: Flaw, call: ScriptCall) => string>> = {
  'leaves it unchanged': () => 'unchanged',
  'rebuts the finding': () => '### Rebuttal ###\nIt is well known.',
  'changes its words alone': ({ text }, { index }) => proof(`${text} This is version ${index}.`),
};

function lenient(seed: string, flaw: Flaw, reply: keyof typeof replies): Said {
  const { why, kind, quote, text } = flaw;
  return {
    solver: (call) => (call.index < 2 ? proof(text) : (replies[reply]?.(flaw, call) ?? '')),
    grader: (call) => (coin(seed, call) ? report(why, kind, quote) : report()),
    'left-open': (call) => (flaw.name === 'a confession' && coin(seed, call) ? open(quote) : open()),
    reviewer: (call) => judged(coin(seed, call), 'As it stands.')(call),
  };
}

const seeds = [1, 2, 3];

test.each(flaws.flatMap((flaw) => Object.keys(replies).map((reply) => [flaw.name, reply, flaw] as const)))(
  '%s, whose solver %s, is not accepted without its finding',
  async (_name, reply, flaw) => {
    const statement = [{ type: 'text', text: flaw.problem }] as const;
    for (const seed of seeds) {
      const run = await proofRun({
        said: lenient(`${seed} ${flaw.name}`, flaw, reply),
        settings: { attempts: 1 },
        problem: { spec: { statement } },
      });
      const { outcome, solution } = run.end;
      const { findings } = proofRecord(run.events);
      if (outcome === 'doubtful') expect(solution?.detail).toContain(flaw.why);
      if (outcome === 'answered')
        expect(findings).toContainEqual(expect.objectContaining({ explanation: flaw.why, answer: 'mended' }));
    }
  },
);

test.each([
  'Two is one more than one. So $2 + 2 = 1 + 1 + 1 + 1 = 4$.',
  'Write $4 = 3 + 1$ and $3 = 2 + 1$. So $4 = 2 + (1 + 1) = 2 + 2$.',
  'The successor of the successor of $2$ is $4$, and adding $2$ is taking the successor twice.',
])('a right one is accepted in eight calls: %s', async (text) => {
  const run = await proofRun({ said: { solver: [proof(text), 'unchanged'] } });
  expect(run.end.outcome).toBe('answered');
  expect(run.asked).toHaveLength(8);
});
