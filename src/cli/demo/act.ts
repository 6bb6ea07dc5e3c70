/**
 * The contract of an act of `polya demo`: rows of its run-set, and what is shown of what came of them. Its models are
 * scripts that come with Polya (`examples/scripts`), so that it needs no key, no server and no network. To add one:
 * name it in the `app.ts` of its app.
 */
import type { SandboxInfo } from '../../core/sandbox.ts';
import type { JournalsOptions } from '../../open/options.ts';
import type { RowPlan } from '../../studies/run-set/plan.ts';
import type { Cell } from '../../text/table.ts';
import type { RunResult } from '../run-result.ts';

export type Act = {
  /** `polya demo NAME` shows it alone. */
  readonly name: string;
  /** A sentence: who does what. */
  readonly title: string;
  /** A sentence: what of it is real. The replies never are. */
  readonly real: string;
  /** How its world is opened, where that differs from the usual. */
  readonly world?: Pick<JournalsOptions, 'familyOptions'>;
  cast(machine: Pick<SandboxInfo, 'toolchains'>): Cast;
  /** Between the run and the outcome, and between the outcome and what it took: together with these 100 columns wide. */
  readonly about: Column;
  readonly facts: readonly Column[];
  /** What a user may want to try afterwards: a command without `polya`, and what it does. */
  next(shown: readonly RunResult[]): readonly (readonly [command: string, meaning: string])[];
};

export type Cast = {
  /** Their names are told before they begin. */
  readonly rows: readonly RowPlan[];
  /** What this machine cannot run, by name. */
  readonly leftOut: readonly string[];
};

export type Column = { readonly head: string; readonly cell: (result: RunResult) => Cell };

type Scripted = Pick<RowPlan, 'name' | 'family' | 'problem' | 'agent'> &
  Partial<Pick<RowPlan, 'settings' | 'limits'>> & {
    /** `examples/scripts/SCRIPT.yaml`, for all roles. */
    readonly script: string;
  };

/** The seed is always the same, so that all users are shown the same. */
export function scripted({ script, settings = {}, limits = {}, ...row }: Scripted): RowPlan {
  const models = { default: `scripted/${script}` };
  return { ...row, settings, limits, models, modelSettings: {}, seed: 'demo' };
}
