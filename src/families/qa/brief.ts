/** What an agent is told of a question, slot by slot: nothing of its gold answer. Pure. */
import type { ProfileName } from '../../answers/index.ts';
import type { Brief } from '../../core/problem.ts';
import type { SandboxInfo } from '../../core/sandbox.ts';

const formats: Readonly<Record<ProfileName, string>> = {
  math: 'End with the final answer alone in \\boxed{}, as a value or an expression in its simplest form.',
  latex: 'End with the final answer alone in \\boxed{}, as a value or an expression in LaTeX.',
  boxed: 'End with the final answer alone in \\boxed{}.',
  number: 'End with the final answer alone in \\boxed{}: one number, without words and units.',
  choice: 'End with a last line of the form "Answer: X", where X is the letter of the choice.',
  marker: 'End with a last line of the form "Final answer: …", with the answer alone.',
  expr: 'End with a last line of the form "Final answer: …", with the answer alone, in plain text.',
};

const criteria: Readonly<Record<'choice' | 'value', string>> = {
  choice: 'The letter decides.',
  value:
    'The final answer is compared as mathematics: equal forms of it count as the same. The last answer that is set like this counts.',
};

export function briefOf(profile: ProfileName, sandbox: SandboxInfo | null): Brief {
  return {
    task: 'Answer the question.',
    answerFormat: formats[profile],
    criteria: criteria[profile === 'choice' ? 'choice' : 'value'],
    environment: environmentOf(sandbox),
  };
}

/** Empty where no Python can be run: agents that need it say so themselves. */
function environmentOf(sandbox: SandboxInfo | null): string {
  const python = sandbox?.toolchains.find(({ language }) => language === 'python');
  if (!sandbox || !python) return '';
  const { wallMs, memoryBytes } = sandbox.limits;
  return [
    `Programs are run by ${python.version} as one file, ${python.sourceFile}, without network.`,
    ...(python.notes.length > 0 ? python.notes : ['There is the standard library only.']),
    `Limits of a run: ${wallMs / 1000} s and ${Math.round(memoryBytes / 2 ** 20)} MiB of memory.`,
  ].join(' ');
}
