/** What is special about runs of proofs: their result is told as a proof. */
import type { AppHooks } from '../../cli/contract.ts';
import { proofCode, tellProof } from './tell.ts';

export const hooks: AppHooks = {
  tell: (shell, options) => async (result, polya, code) =>
    proofCode(await tellProof(shell, polya, result, options), code),
};
