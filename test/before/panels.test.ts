/** Journals of earlier versions have panels, whole and as they were on the way. */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { apps } from '../../src/apps/all.ts';
import { panelsFor } from '../../src/cli/contract.ts';
import { openJournals } from '../../src/open/journals.ts';
import { readJournal } from '../../src/run/load.ts';
import { withoutPuzzle } from '../../src/server/without-puzzle.ts';
import { unpackFolder } from '../fixtures/folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const packed = ['ensemble', 'induction-graph', 'proof-grader', 'tool-loop', 'verify-loop'];

test.each(packed)('of %s', async (name) => {
  const folder = temporaryFolder('panels');
  unpackFolder(join(import.meta.dirname, '../fixtures/journals', name, 'whole.folder.gz'), folder);
  const [database = ''] = globSync(join(folder, '{,*/,.*/}polya.db'));
  const { world, close } = openJournals({ folder, env: { POLYA_HOME: dirname(database) } });
  const { panels } = panelsFor({ apps });
  const rows = await world.store.list();
  expect(rows.length).toBeGreaterThan(0);
  for (const { id } of rows) {
    const { events } = await readJournal(world.store, id);
    expect(await panels(events)).toHaveLength(1);
    expect(await panels(withoutPuzzle(events, []))).toHaveLength(1);
    for (const at of events.keys()) {
      for (const { sentence } of await panels(events.slice(0, at))) expect(sentence).not.toBe('');
    }
  }
  await close();
});
