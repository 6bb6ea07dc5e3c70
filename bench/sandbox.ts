/**
 * What the sandbox costs: to start one, to run many short cases in it, against the same programs without any, and to
 * watch a program. Wall time is measured, so a busy machine shows in both alike.
 */
import { bubblewrapSandbox } from '../src/sandbox/bubblewrap.ts';
import { type Bench, contest, type Row, timed } from './measure.ts';
import { watching } from './sandbox-accounts.ts';
import {
  type Busy,
  batch,
  buildBusy,
  caseMs,
  cases,
  eachAlone,
  perCase,
  runOne,
  spawnAll,
  spawnOne,
  workers,
  xargs,
} from './sandbox-programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const rounds = 9;

export const sandboxBench: Bench = {
  name: 'sandbox',
  async run() {
    using folder = temporaryFolder();
    const busy = await buildBusy(bubblewrapSandbox(), folder.path);
    return [...(await measure(busy)), ...(await watching(busy))];
  },
};

async function measure(busy: Busy): Promise<readonly Row[]> {
  const sandbox = bubblewrapSandbox();
  const plain = bubblewrapSandbox({ useCgroups: false });
  const many = () => perCase(() => batch(sandbox, busy));
  const aim = { of: 'ratio', atMost: 1.11 } as const;
  const what = `a case of ${caseMs} ms, ${cases} on ${workers} workers`;
  const row = async (
    parts: Pick<Row, 'what' | 'against' | 'aim'>,
    ours: () => Promise<number>,
    floor: () => Promise<number>,
  ) => ({
    ...parts,
    unit: 'ms',
    ...(await contest({ ours, floor, rounds })),
  });
  return [
    await row(
      { what: 'a program in a sandbox of its own', against: 'a bare spawn', aim: null },
      () => timed(() => runOne(sandbox, busy, 0, 0)),
      () => timed(() => spawnOne(busy, 0, 0)),
    ),
    await row({ what, against: 'the same spawned by Node', aim }, many, () => perCase(() => spawnAll(busy))),
    await row({ what, against: 'the same by xargs', aim }, many, () => perCase(() => xargs(busy))),
    await row(
      { what: `${what}, a sandbox each`, against: 'one sandbox a worker', aim: null },
      () => perCase(() => eachAlone(sandbox, busy)),
      many,
    ),
    await row(
      { what: `${what}, accounted by control groups`, against: 'by the process table', aim: null },
      many,
      () => perCase(() => batch(plain, busy)),
    ),
  ];
}
