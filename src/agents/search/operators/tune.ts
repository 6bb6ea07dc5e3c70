/** Searches the constants of a program without a model (../tuning.ts). The only operator that runs programs itself. */
import type { CandidateNote } from '../../../notes/evolution.ts';
import { Meter } from '../asking.ts';
import { checkClock } from '../search.ts';
import { tune as tuneConstants } from '../tuning.ts';
import { parentOf, type RandomOperator } from './operator.ts';

/** Evaluations of a few cases that one tuning may take. */
const evaluationsOfTuning = 24;

export const tune: RandomOperator = {
  name: 'tune',
  weight: 0.15,
  partner: 'none',
  asks: 'nobody',
  prompts: {},

  // A second search of the same constants finds nothing.
  suits: ({ tuned }, _island, { id }) => !tuned.has(id),

  async propose({ search, run, doing }, plan) {
    const { hint } = plan;
    const parent = parentOf(plan);
    const { task, cases, points } = search;
    doing(`tunes ${hint?.range ? hint.range.name : 'the constants'} of ${parent.id}`);
    // A hint names one constant: the others have still to be searched.
    if (!hint) search.tuned.add(parent.id);
    const parameters: CandidateNote['parameters'] = hint ? { hint: hint.number } : {};
    let reason = 'There is no constant in it whose change made it better.';
    const found = await tuneConstants(run, task, {
      source: parent.source,
      cases: cases.search,
      evaluations: evaluationsOfTuning,
      best: points.best,
      only: hint?.range,
      mayGoOn: () => checkClock(search, run),
      onNothing: (why) => (reason = why),
    });
    const common = { ...new Meter().spent, isUnanswered: false };
    if (found) {
      const { source, summary, constants, evaluations } = found;
      return {
        ...common,
        source,
        summary,
        detail: '',
        parameters: { ...constants, evaluations, ...parameters },
      };
    }
    const detail =
      search.over === null
        ? reason
        : 'The search was over before a change of its constants had proved better.';
    return { ...common, source: null, summary: `tune ${parent.id}`, detail, parameters };
  },
};
