/**
 * The process of a session on the toy contest, whose folder it finds in SESSION_TOY. Its first replies come quickly, which is
 * what tests wait for; then it takes its time, so that nothing of its many generations comes to an end while a slow machine
 * does what a test is about.
 */
import { apps } from '../../../src/apps/all.ts';
import { workInBackground } from '../../../src/cli/background.ts';
import { scriptedModel } from '../../../src/models/scripted.ts';
import { toyContest, toyScript } from './toy-contest.ts';

const workspace = process.env.SESSION_TOY ?? '';
const quick = { replies: 24, delayMs: 20 };
const script = toyScript(workspace, (replies) =>
  replies <= quick.replies ? quick.delayMs : 10 * quick.delayMs,
);

workInBackground(apps, {
  families: [toyContest(workspace)],
  models: {
    'scripted/toy': scriptedModel({ id: 'scripted/toy', script }),
    'scripted/other': scriptedModel({ id: 'scripted/other', script }),
  },
});
