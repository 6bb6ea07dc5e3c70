/** The bubblewrap back-end, with every means of this machine and with the least. */
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { sandboxConformance } from './conformance.ts';

sandboxConformance('bubblewrap', () => bubblewrapSandbox());
sandboxConformance('bubblewrap without control groups', () => bubblewrapSandbox({ useCgroups: false }));
