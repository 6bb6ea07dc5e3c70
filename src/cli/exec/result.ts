/** The one document of `polya exec --json`, and what a person reads of a compiler, the same for one program and many. */
import {
  type CompileResult,
  type Program,
  type SandboxInfo,
  type StepResult,
  unsafeLabel,
} from '../../core/sandbox.ts';
import { harmless, harmlessJson } from '../../text/format.ts';
import type { Shell } from '../contract.ts';
import type { Output } from '../output.ts';
import { toolchainOf } from './program.ts';
import { measuresText, verdictText, verdictTone } from './words.ts';

export type Setting = { readonly shell: Shell; readonly info: SandboxInfo; readonly program: Program };

export function resultJson(
  { info, program }: Setting,
  parts: { readonly compile: CompileResult | null } & Readonly<Record<string, unknown>>,
): string {
  const { backend, version, isolation } = info;
  const { language } = program;
  const toolchain = toolchainOf(info, program)?.name ?? null;
  const about = { backend, version, isolation, label: unsafeLabel(info), language, toolchain };
  return `${harmlessJson({ ...about, ...parts }, 2)}\n`;
}

/** To a terminal nothing goes that could steer it; a file or a pipe gets the program's own bytes. */
export function writeOutput(output: Output, { stdout }: Pick<StepResult, 'stdout'>): void {
  const { text } = stdout;
  output.write(output.isTerminal ? harmless(text) : text);
  if (output.isTerminal && text !== '' && !text.endsWith('\n')) output.write('\n');
}

/** What a compiler says, errors shortened as for a model, and how it ended. */
export function tellCompile({ shell, info }: Setting, compile: CompileResult, noun = 'compile error'): void {
  const printed = [compile.stdout.text, compile.stderr.text];
  const said = (compile.digest ? [compile.digest] : printed).map((text) => text.trimEnd()).filter(Boolean);
  for (const text of said) shell.err.write(`${harmless(text)}\n`);
  if (compile.verdict === 'ok') return;
  const how = compile.verdict === 'exit' ? noun : `${noun}: ${verdictText(compile)}`;
  const told = shell.err.paint(verdictTone(compile), how);
  shell.err.write(`${told}; ${measuresText(compile)}; ${sandboxText(info)}\n`);
}

export function sandboxText(info: SandboxInfo): string {
  return unsafeLabel(info) ?? `${info.backend} ${info.version}`;
}
