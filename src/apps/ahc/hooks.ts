/** What is special about runs of contests: a search of constants tells its own result, and a session resumes its runs. */
import type { AppHooks } from '../../cli/contract.ts';
import { refuseRunOfSession, refuseSetOfSessions } from './session/run.ts';
import { tellTuning } from './tuning/report.ts';

export const hooks: AppHooks = {
  tell: (shell, options) => async (result, polya, code) =>
    result.view.header?.agent.name === 'parameter-search'
      ? tellTuning(shell, polya, result, options, code)
      : null,
  refuseResume: refuseRunOfSession,
  refuseResumeOfSet: refuseSetOfSessions,
};
