/** Our own batch contest as evaluations take it: what holds in it, its tools' sources, its inputs. For tests and bench. */
import type { ProgramFiles } from '../../src/core/sandbox.ts';
import type { TestCase } from '../../src/families/ahc/judge/evaluate.ts';
import type { Contest } from '../../src/families/ahc/workspace.ts';
import { filesOf, practiceContest } from '../../src/practice/atcoder/contest.ts';

const practice = practiceContest('polya002');
const files = filesOf(practice, 'tools');
const isInput = (path: string): boolean => path.startsWith('in/');

export const batchContest: Contest = {
  id: practice.id,
  title: practice.task,
  timeLimitMs: practice.timeLimitSeconds * 1000,
  memoryLimitBytes: practice.memoryLimitMegabytes * 1024 * 1024,
  direction: practice.direction,
  scoring: practice.scoring,
  isInteractive: practice.isInteractive,
  tools: { binaries: ['gen', 'score', 'vis'], generator: 'gen', judge: 'score', tester: null, sha256: '' },
};

export const batchCrate: ProgramFiles = Object.fromEntries(
  Object.entries(files).filter(([path]) => !isInput(path)),
);

/** In the order of their names. */
export const batchCases: readonly TestCase[] = Object.entries(files)
  .filter(([path]) => isInput(path))
  .map(([path, bytes]) => ({ name: path.slice(3, 7), input: new TextDecoder().decode(bytes) }));
