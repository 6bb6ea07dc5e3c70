/**
 * What the models of the kill tests say to the agent that proves: pure, by place and conversation. Proofs are corrected,
 * graders disagree, two proofs are accepted and compared.
 */
import type { ModelCall, ModelRequest } from '../../src/core/model.ts';
import { hashText } from '../../src/run/hash.ts';

export const provingSettings = { graders: 3, passes: 3, failures: 2, attempts: 3, pool: 2, review: true };

/** Null for calls that are not its own. */
export function provingReply({ messages, output }: ModelRequest, call: ModelCall): string | null {
  const { role, branch, index } = call;
  if (!/^(attempt-|selection)/.test(branch)) return null;
  const hash = hashText(JSON.stringify(messages) + branch + index);
  switch (role) {
    case 'solver':
      return `### Summary ###\nDone.\n\n### Detailed Solution ###\n\nVersion ${hash.slice(0, 12)}.`;
    case 'grader':
      return output?.name === 'left-open'
        ? '{"leftOpen": []}'
        : passes(branch)
          ? '{"findings": [], "verdict": "complete"}'
          : `{"findings": [{"kind": "critical-error", "quote": "Version", "explanation": "${hash}"}], "verdict": "error"}`;
    case 'reviewer':
      return judgements(call, messages);
    default:
      return JSON.stringify({ better: hash < '8' ? 'first' : 'second', reason: hash });
  }
}

/** The first two verifications of an attempt fail, with one grader of another opinion; the second attempt fails whole. */
function passes(branch: string): boolean {
  const [, attempt, verification, grader] =
    /attempt-(\d+)\/verification-(\d+)\/grader-(\d+)/.exec(branch)?.map(Number) ?? [];
  if (attempt === 2) return false;
  return verification !== undefined && (verification > 2 ? grader !== 1 : grader === 1);
}

/** In the first attempt nothing that was found holds; in the third it is mended. */
function judgements({ branch, index }: ModelCall, messages: ModelRequest['messages']): string {
  const count = JSON.stringify(messages.at(-1)).match(/\\n\d+\. \*\*/g)?.length ?? 0;
  const holds = branch.startsWith('attempt-2') || (branch.startsWith('attempt-3') && index === 0);
  const findings = Array.from({ length: count }, (_, index) => ({ number: index + 1, why: 'w', holds }));
  return JSON.stringify({ findings });
}
