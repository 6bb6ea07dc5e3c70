/** A workspace of one of our own contests, as `init` leaves it, for tests that are not about `init`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { layout } from '../../src/families/ahc/layout.ts';
import type { ContestFile } from '../../src/families/ahc/workspace.ts';
import { filesOf, practiceContest } from '../../src/practice/atcoder/contest.ts';

export type WorkspaceChange = {
  readonly config?: string;
  readonly contest?: Partial<ContestFile>;
  /** How many of the inputs; default: all. */
  readonly inputs?: number;
};

/** Of polya002, whose inputs are files. Returns its folder. */
export function practiceWorkspace(base: string, change: WorkspaceChange = {}): string {
  const practice = practiceContest('polya002');
  const folder = join(base, 'workspace', practice.id);
  const put = (name: string, content: string | Uint8Array): void => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const { inputs = 1000 } = change;
  for (const [path, bytes] of Object.entries(filesOf(practice, 'tools'))) {
    const number = /^in\/(\d+)\.txt$/.exec(path)?.[1];
    if (number === undefined || Number(number) < inputs) put(`${layout.crate}/${path}`, bytes);
  }
  put(layout.config, change.config ?? '# of a test\n');
  put(layout.inputFormat, 'N V Q\nX_0 Y_0\nX_1 Y_1 D_1\n\\vdots\nX_N Y_N D_N\n');
  const contest = { ...contestOf(practice), ...change.contest };
  put(layout.contest, `${JSON.stringify(contest, null, 2)}\n`);
  return folder;
}

/** What `init` finds out about it. */
export function contestOf(practice: ReturnType<typeof practiceContest>): ContestFile {
  const [judge, tester] = practice.isInteractive ? [null, 'tester'] : ['score', null];
  const said = <T>(value: T) => ({ value, because: null });
  return {
    version: 1,
    id: practice.id,
    title: practice.task,
    url: null,
    startsAt: practice.start,
    endsAt: practice.end,
    timeLimitSeconds: practice.timeLimitSeconds,
    memoryLimitMegabytes: practice.memoryLimitMegabytes,
    direction: said(practice.direction),
    scoring: said(practice.scoring),
    isInteractive: said(practice.isInteractive),
    tools: { binaries: ['gen', judge ?? 'tester', 'vis'], generator: 'gen', judge, tester, sha256: '' },
    confirmed: null,
  };
}

export function solutionFile(name: string): string {
  return join(practiceContest('polya002').folder, 'solutions', `${name}.cpp`);
}
