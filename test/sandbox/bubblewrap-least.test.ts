/** The bubblewrap back-end with the least means: it keeps the same promises. */
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { sandboxConformance } from './conformance.ts';

sandboxConformance(
  'bubblewrap without control groups',
  (limits) => bubblewrapSandbox({ ...limits, useCgroups: false }),
  { scope: 'limits' },
);
