/** The process of a session on the toy contest, whose folder it finds in SESSION_TOY, with replies that take TOY_DELAY_MS. */
import { workAsOrdered } from '../../../src/cli/ahc/session-work.ts';
import { scriptedModel } from '../../../src/index.ts';
import { toyContest, toyScript } from './toy-contest.ts';

const workspace = process.env.SESSION_TOY ?? '';
const script = toyScript(workspace, Number(process.env.TOY_DELAY_MS ?? 20));

workAsOrdered({
  families: [toyContest(workspace)],
  models: {
    'scripted/toy': scriptedModel({ id: 'scripted/toy', script }),
    'scripted/other': scriptedModel({ id: 'scripted/other', script }),
  },
});
