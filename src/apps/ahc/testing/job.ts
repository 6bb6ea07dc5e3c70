/** What one `polya ahc test` is about. */

import type { Shell } from '../../../cli/contract.ts';
import type { SandboxInfo } from '../../../core/sandbox.ts';
import type { Desk } from '../../../families/ahc/evaluation.ts';
import type { AhcWorkbench } from '../load/workbench.ts';

export type TestOptions = {
  readonly cases?: string;
  readonly vs?: string;
  readonly group?: string;
  readonly out?: string;
  readonly include?: readonly string[];
  readonly json?: boolean;
};

export type TestJob = {
  readonly shell: Shell;
  readonly ahc: AhcWorkbench;
  readonly desk: Desk;
  readonly info: SandboxInfo;
  readonly file: string | undefined;
  readonly options: TestOptions;
};

/** As `findCandidate` takes it. */
export function includeOf({ include }: TestOptions) {
  return include ? { include } : {};
}
