/** The bubblewrap back-end, with every means of this machine. */
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { sandboxConformance } from './conformance.ts';

sandboxConformance('bubblewrap', (limits) => bubblewrapSandbox(limits));
