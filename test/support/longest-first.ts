/**
 * The order of the test files: those that take longest first, or the last of them keeps one worker busy while the other
 * has nothing left to do. Vitest knows how long they took, but on a fresh clone it knows their sizes alone, and the
 * longest are not the largest.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A quarter of a minute and more on a quiet machine of two cores, the longest first. */
export const longest = [
  'test/sandbox/docker-machine.test.ts',
  'test/sandbox/bubblewrap.test.ts',
  'test/sandbox/docker.test.ts',
  'test/server/page-panels.test.ts',
  'test/sandbox/bubblewrap-machine.test.ts',
  'test/sandbox/none.test.ts',
  'test/server/page-acts.test.ts',
  'test/ahc/demo.test.ts',
  'test/cli/your-own.test.ts',
  'test/server/acts.test.ts',
  'test/ahc/intake/init.test.ts',
  'test/hostile/browser.test.ts',
  'test/sandbox/bubblewrap-least.test.ts',
  'test/before/command-line.test.ts',
  'test/server/copy.test.ts',
  'test/cli/canaries.test.ts',
  'test/studies/fleet.test.ts',
  'test/cli/processes.test.ts',
] as const;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((path) => moduleId.endsWith(path));
  return at < 0 ? longest.length : at;
}
