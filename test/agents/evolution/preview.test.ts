/** What a search would ask first, where its user is asked before any model: with an analysis of its user's there is no call. */
import { expect, test } from 'vitest';
import { previewRun } from '../../../src/open/journals.ts';
import { prepareRun } from '../../../src/run/start.ts';
import { evolvingAnalysis, evolvingRun, sceneWorld } from '../../support/evolving.ts';

test('a question to its user ends the preview: it is answered by nobody', async () => {
  const world = sceneWorld({});
  const spec = evolvingRun({ confirm: true, analysis: evolvingAnalysis });
  const first = await previewRun(world, await prepareRun(world, { ...spec, id: 'preview' }));
  expect(first.end).toMatchObject({ outcome: 'cancelled' });
});
