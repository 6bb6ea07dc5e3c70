/**
 * A workspace from local files, against unpacking the same archive and writing its files: what is left is the reading of
 * the statement, the checks, and looking up that the tools are built, which they are after the first round.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { initContest } from '../src/apps/ahc/intake/init.ts';
import { practiceContest } from '../src/practice/atcoder/contest.ts';
import { toolsArchive } from '../src/practice/atcoder/site.ts';
import { type Bench, contest, counter, timed } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const ahcInitBench: Bench = {
  name: 'ahc-init',
  async run() {
    using folder = temporaryFolder();
    const { folder: own } = practiceContest('polya002');
    const archive = toolsArchive(practiceContest('polya002')).bytes;
    const zip = join(folder.path, 'tools.zip');
    writeFileSync(zip, archive);
    const next = counter();
    const ours = () => timed(() => init({ folder: folder.path, root: `ours-${next()}`, from: [zip, own] }));
    const floor = () => timed(() => unpack(archive, join(folder.path, `floor-${next()}`)));
    return [
      {
        what: 'init from a local zip, tools built before',
        unit: 'ms',
        against: 'unzip and write',
        aim: null,
        ...(await contest({ ours, floor, rounds: 7 })),
      },
    ];
  },
};

async function init({
  folder,
  root,
  from,
}: {
  folder: string;
  root: string;
  from: readonly string[];
}): Promise<void> {
  const { troubles } = await initContest({
    contest: 'polya002',
    folder,
    env: process.env,
    workspaceRoot: root,
    from,
    confirm: async () => true,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  const [missing] = troubles.filter(({ isUnfinished }) => isUnfinished);
  if (missing) throw new Error(missing.what);
}

function unpack(archive: Uint8Array, folder: string): void {
  for (const [name, bytes] of Object.entries(unzipSync(archive))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}
