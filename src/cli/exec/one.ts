/** `polya exec` of one program with one input: what it wrote goes where it would have gone, how it ended to stderr. */
import { exitCodes } from '../../core/errors.ts';
import type { ExecRequest, ExecResult, Sandbox, StepResult } from '../../core/sandbox.ts';
import { grouped, harmless } from '../../text/format.ts';
import { resultJson, type Setting, sandboxText, tellCompile, writeOutput } from './result.ts';
import { measuresText, verdictText, verdictTone } from './words.ts';

export type One = Setting & {
  readonly sandbox: Sandbox;
  readonly request: ExecRequest;
  readonly isJson: boolean;
};

export async function runOne(one: One, signal: AbortSignal): Promise<number> {
  const result = await one.sandbox.exec(one.request, signal);
  if (one.isJson) {
    one.shell.out.write(resultJson(one, { compile: result.compile, run: result.run }));
  } else tell(one, result);
  return result.run?.verdict === 'ok' ? exitCodes.ok : exitCodes.unsolved;
}

function tell(setting: Setting, { compile, run }: ExecResult): void {
  if (compile) tellCompile(setting, compile);
  if (!run) return;
  const { shell, info } = setting;
  writeOutput(shell.out, run);
  const { err } = shell;
  if (run.stderr.text !== '') {
    const text = err.isTerminal ? harmless(run.stderr.text) : run.stderr.text;
    err.write(text.endsWith('\n') ? text : `${text}\n`);
  }
  for (const note of cutNotes(run)) err.write(`${err.paint('warn', note)}\n`);
  const verdict = err.paint(verdictTone(run), verdictText(run));
  err.write(`${verdict}; ${measuresText(run)}; ${sandboxText(info)}\n`);
}

function cutNotes({ stdout, stderr }: StepResult): readonly string[] {
  return Object.entries({ stdout, stderr })
    .filter(([, { cut }]) => cut)
    .map(
      ([name, { bytes }]) => `${name}: ${grouped(bytes)} bytes, the middle is left out; --output keeps more`,
    );
}
