/** RunProgram: a model's Python program in the sandbox, for questions where there is one. It knows no question. */
import { z } from 'zod';
import { excerpt } from '../../core/cut-off.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EffectContext, Tool, ToolResult } from '../../core/problem.ts';

export const programTool: Tool = {
  name: 'RunProgram',
  description: 'Runs a whole Python program without input; returns how it ended and what it printed.',
  parameters: z.strictObject({ code: z.string().min(1) }),
  program: { parameter: 'code', accepts: (language) => /^(?:python3?|py)?$/i.test(language) },
  repeat: 'safe',
  call: runProgram,
};

const outputCharacters = 4_000;

async function runProgram(args: JsonObject, { io, signal }: EffectContext): Promise<ToolResult> {
  const { run } = await io.sandbox.exec({ language: 'python', source: String(args.code) }, signal);
  const sections = [
    run?.stdout.text ? `stdout:\n${run.stdout.text.trimEnd()}` : 'It printed nothing.',
    run?.stderr.text ? `stderr:\n${run.stderr.text.trimEnd()}` : '',
  ].map((text) => (text.length > outputCharacters ? excerpt(text, outputCharacters) : text));
  const verdict = run?.verdict ?? 'not run';
  const status = verdict === 'exit' ? `failed with status ${run?.exitCode}` : verdict;
  return {
    text: [`The program ended: ${status}.`, ...sections].filter(Boolean).join('\n'),
    isError: verdict === 'ok' ? undefined : true,
  };
}
