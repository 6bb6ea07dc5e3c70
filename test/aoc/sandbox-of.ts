/** A sandbox whose programs do what a test says, and which counts what it was asked to run. */
import type { ExecRequest, ExecResult, Sandbox, StepResult } from '../../src/core/sandbox.ts';
import { talkingSandbox } from './talking-sandbox.ts';

type Made = Partial<StepResult> & { readonly out?: string; readonly err?: string };

export function stepOf({ out = '', err = '', ...step }: Made = {}): StepResult {
  const output = (text: string) => ({ text, bytes: Buffer.byteLength(text), cut: false });
  return {
    verdict: 'ok',
    exitCode: 0,
    signal: null,
    stdout: output(out),
    stderr: output(err),
    wallMs: 12,
    cpuMs: 9,
    peakMemoryBytes: 2 ** 23,
    ...step,
  };
}

export type Asked = { readonly source: string; readonly input: string };

/** A step alone is that of a program; `compile` says that it did not compile. */
export function sandboxOf(run: (asked: Asked, number: number) => Made & { readonly compile?: string }): {
  readonly sandbox: Sandbox;
  readonly asked: Asked[];
} {
  const asked: Asked[] = [];
  const exec = async ({ source, stdin }: ExecRequest): Promise<ExecResult> => {
    const now = { source, input: String(stdin) };
    asked.push(now);
    const { compile, ...step } = run(now, asked.length);
    const failed = { ...stepOf({ verdict: 'exit', exitCode: 1, err: compile }), cached: false };
    const none = { folder: null, folderBytes: null };
    return compile === undefined
      ? { backend: 'test', compile: null, run: stepOf(step), ...none }
      : { backend: 'test', compile: { ...failed, digest: compile }, run: null, ...none };
  };
  return { sandbox: { ...talkingSandbox, exec }, asked };
}
