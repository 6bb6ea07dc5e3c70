/** What the process of a run in the background starts: see cli/background.ts. */
import { apps } from './apps/all.ts';
import { workInBackground } from './cli/background.ts';

workInBackground(apps);
