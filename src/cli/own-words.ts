/** For commands that go on with any run: tells its result as the command did that began it. */
import { tellTuning } from './ahc/tuning-report.ts';
import type { Tell } from './drive.ts';
import { proofCode, tellProof } from './proof/tell.ts';
import type { Shell } from './shell.ts';

export function ownWords(shell: Shell, options: { readonly json?: boolean }): Tell {
  return async (result, polya, code) => {
    if (result.view.header?.agent.name === 'parameter-search') {
      return tellTuning(shell, polya, result, options, code);
    }
    if (result.view.header?.problem.family !== 'proof') return null;
    return proofCode(await tellProof(shell, polya, result, options), code);
  };
}
