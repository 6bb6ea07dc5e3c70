/** The back-end without isolation: the promises that it keeps all the same. */
import { openNone } from '../../src/sandbox/none/backend.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { sandboxConformance } from './conformance.ts';

sandboxConformance('none', (limits) => createSandbox({ ...limits, openBackend: () => openNone() }), {
  scope: 'back-end',
  isolates: false,
  languages: ['csharp'],
});
