/** A question for the ensemble that needs no algebra, and what a model says to it: by branch, role and index alone. */
import type { ModelCall } from '../../src/core/model.ts';
import type { Answer, Family, ProblemSpec } from '../../src/core/problem.ts';

export const ballots: Family = {
  name: 'ballots',
  async load(reference): Promise<ProblemSpec> {
    const { way } = reference as { way: string };
    return {
      family: 'ballots',
      id: `ballots/${way}`,
      title: 'Ballots',
      reference: { way },
      contentHash: way,
      statement: [{ type: 'text', text: `Which number? All ${way}.` }],
      brief: { task: 'Name it.', answerFormat: 'A number.', criteria: '', environment: '' },
      stages: [],
      detail: {},
    };
  },
  open: (spec) => ({
    spec,
    parse(reply) {
      const [number] = /\d+$/.exec(reply.trim()) ?? [];
      return number ? { type: 'text', text: number } : { type: 'misfit', feedback: 'there is no number.' };
    },
    equal: (a, b) => numberOf(a) === numberOf(b),
  }),
};

function numberOf(answer: Answer): number {
  return answer.type === 'text' ? Number(answer.text) : Number.NaN;
}

const program = (...lines: readonly string[]) => `\`\`\`python\n${lines.join('\n')}\n\`\`\``;

/** Null where somebody else is asked. */
export function ensembleReply(
  request: unknown,
  { role, branch, index }: Pick<ModelCall, 'role' | 'branch' | 'index'>,
): string | null {
  if (role === 'planner') return 'PROBLEM_TYPE: Logic\nPLAN: Look.\nSTRATEGY_RECOMMENDATION: Use Python';
  const agree = JSON.stringify(request).includes('All agree.');
  if (role === 'reviewer') return agree ? '42' : '45';
  const said = {
    'program-1': [program('broken'), program(agree ? 'say 42' : 'say 41')],
    'program-2': [program(agree ? 'say 42' : 'say 43')],
    'chain-1': ['no idea', '44'],
    'react-1': [program('write a.txt 1'), program('append a.txt 2'), 'Hm.', 'Final Answer: 46'],
    'program-3': ['nothing', program('say 47')],
    'self-correction': ['nothing', '42'],
  }[branch];
  return said?.[Math.min(index, said.length - 1)] ?? null;
}
