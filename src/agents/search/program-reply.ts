/**
 * The program in a reply, as the problem reads it, and as one file: headers of the algorithm library that it includes are
 * put in where the problem offers that, so that every candidate compiles alone.
 */
import type { Run } from '../../core/agent.ts';
import type { Problem } from '../../core/problem.ts';
import { codeBlocks } from '../kit/code.ts';
import type { Reply } from './asking.ts';
import { offered } from './sources.ts';

export type ProgramReading =
  | { readonly ok: true; readonly source: string }
  /** `feedback` is for the model. */
  | { readonly ok: false; readonly feedback: string };

export function programIn(
  problem: Problem,
  { text, finish }: Pick<Reply, 'text' | 'finish'>,
): ProgramReading {
  const read = problem.parse?.(text) ?? onlyProgram(text);
  if (read.type === 'source') return { ok: true, source: read.source };
  const cut = finish === 'length' ? 'The reply was cut off at the limit of its length. Write less. ' : '';
  return {
    ok: false,
    feedback: `${cut}${read.type === 'misfit' ? read.feedback : 'The reply holds no program.'}`,
  };
}

/** For problems that read no replies themselves: one block of code that is closed, and no other. */
function onlyProgram(text: string) {
  const [block, ...others] = codeBlocks(text).filter(({ code }) => code.trim() !== '');
  if (block?.isClosed && others.length === 0) {
    return { type: 'source', language: 'cpp', source: `${block.code}\n` } as const;
  }
  const feedback = block
    ? others.length > 0
      ? `The reply holds ${others.length + 1} blocks of code: send one.`
      : 'The block of code is not closed.'
    : 'There is no block of code in the reply.';
  return { type: 'misfit', feedback } as const;
}

/** As it is where it includes nothing of its own, or there is no library. */
export async function asOneFile(run: Run, problem: Problem, source: string): Promise<string> {
  if (!/^[ \t]*#\s*include\s*"/m.test(source)) return source;
  const inlined = await offered(run, problem, 'library_inline', { source });
  return inlined?.text ?? source;
}
