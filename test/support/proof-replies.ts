/**
 * What the models of the kill tests say to the agent that proves: pure, by place and conversation. Proofs are corrected,
 * graders disagree, two proofs are accepted and compared.
 */
import type { ModelCall, ModelRequest } from '../../src/core/model.ts';
import { hashText } from '../../src/run/hash.ts';

export const provingSettings = { graders: 3, passes: 3, failures: 2, attempts: 3, pool: 2, review: true };

/** Null for calls that are not its own. */
export function provingReply({ messages }: ModelRequest, call: ModelCall): string | null {
  const { role, branch, index } = call;
  if (!/^(attempt-|selection)/.test(branch)) return null;
  const hash = hashText(JSON.stringify(messages) + branch + index);
  switch (role) {
    case 'solver':
      return `### Summary ###\nDone.\n\n### Detailed Solution ###\n\nVersion ${hash.slice(0, 12)}.`;
    case 'grader':
      return `### Summary ###\n${hash.slice(0, 12)}\n**Left open:** none\n\n### Detailed Verification Log ###\nStep 1.`;
    case 'reviewer':
      return JSON.stringify({
        complaints: [{ complaint: hash, holds: !branch.startsWith('attempt-1'), why: 'w' }],
      });
    default:
      return branch.startsWith('selection')
        ? JSON.stringify({ better: hash < '8' ? 'first' : 'second', reason: hash })
        : saysYes(branch)
          ? 'yes'
          : 'no';
  }
}

/** The first two verifications of an attempt fail, with one grader of another opinion; the second attempt fails whole. */
function saysYes(branch: string): boolean {
  const [, attempt, verification, grader] =
    /attempt-(\d+)\/verification-(\d+)\/grader-(\d+)/.exec(branch)?.map(Number) ?? [];
  if (attempt === 2) return false;
  return verification !== undefined && (verification > 2 ? grader !== 1 : grader === 1);
}
