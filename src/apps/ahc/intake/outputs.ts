/** Outputs that are there already, held against the official tool of a contest that is not interactive: no program is run. */
import type { Case, ProgramFiles, Sandbox } from '../../../core/sandbox.ts';
import { buildWhole, toolProgram } from '../../../families/ahc/judge/evaluate.ts';
import { type Judged, judgeOutput } from '../../../families/ahc/judge/verdict.ts';

export type WrittenOutput = { readonly name: string; readonly input: string; readonly output: string };

/** By their names. Null where the tool does not build. */
export async function judgeOutputs(
  sandbox: Sandbox,
  { crate, judge }: { readonly crate: ProgramFiles; readonly judge: string },
  outputs: readonly WrittenOutput[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Judged> | null> {
  const { executable } = await buildWhole(sandbox, toolProgram(crate, judge), signal);
  if (!executable) return null;
  const judged = new Map<string, Judged>();
  await sandbox.batch(
    {
      executable: { ...executable, files: {} },
      cases: outputs.map(
        ({ name, input, output }): Case => ({
          name,
          args: ['input.txt', 'output.txt'],
          files: { 'input.txt': input, 'output.txt': output },
        }),
      ),
      limits: { wallMs: 60_000, cpuMs: 60_000 },
    },
    ({ name, step }) => {
      judged.set(name, judgeOutput(step));
    },
    signal,
  );
  signal.throwIfAborted();
  return judged;
}
