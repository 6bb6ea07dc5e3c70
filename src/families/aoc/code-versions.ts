/** The versions of the code that a run has run, as numbered files. Pure. */
import type { Header } from '../../core/event.ts';
import type { ToolStep } from './tool-steps.ts';

export type CodeVersion = { readonly file: string; readonly step: ToolStep; readonly source: string };

/** A program that is run again, over another input, is no new version. */
export function codeVersionsOf(header: Header, steps: readonly ToolStep[]): CodeVersion[] {
  const extension = extensionOf(header);
  const seen = new Set<string>();
  return steps.flatMap((step): CodeVersion[] => {
    const { code } = step.args;
    if (step.tool !== 'RunGeneratedCode' || typeof code !== 'string' || seen.has(code)) return [];
    seen.add(code);
    const number = String(seen.size).padStart(3, '0');
    return [{ file: `code/${number}-${step.stage || 'after'}.${extension}`, step, source: code }];
  });
}

function extensionOf({ sandbox, problem }: Header): string {
  const toolchain = sandbox?.toolchains.find(({ language }) => language === problem.reference.lang);
  return /\.(\w+)$/.exec(toolchain?.sourceFile ?? '')?.[1] ?? 'txt';
}
