/** The one document of `polya ahc test --json`. */
import { type SandboxInfo, unsafeLabel } from '../../../core/sandbox.ts';
import { harmlessJson } from '../../../text/format.ts';
import type { AhcWorkbench } from '../load/workbench.ts';
import type { TestResult } from './result.ts';

export function testJson(
  ahc: AhcWorkbench,
  result: TestResult,
  about: { readonly workspace: string; readonly warnings: readonly string[]; readonly info: SandboxInfo },
): string {
  const { contest, evaluation, summary, groups, compared, noise, slowest, worst, nearLimit } = result;
  const { version, backend, compile, compiled, asked, cases, best, improved } = evaluation;
  const scale = { direction: contest.direction, best };
  const named = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const { id, title, direction, scoring, isInteractive, timeLimitMs, memoryLimitBytes } = contest;
  const document = {
    workspace: about.workspace,
    contest: { id, title, direction, scoring, isInteractive, timeLimitMs, memoryLimitBytes },
    version: { name: version.name, source: version.source, file: version.file },
    backend,
    label: unsafeLabel(about.info),
    verdict: compiled ? null : 'CE',
    compile: compile && {
      verdict: compile.verdict,
      cached: compile.cached,
      digest: compile.digest,
      wallMs: compile.wallMs,
    },
    asked,
    summary,
    cases: cases.map(({ output: _output, ...each }) => ({
      ...each,
      best: best.of(each),
      points: ahc.pointsOf(each, scale),
    })),
    improved,
    slowest: named(slowest),
    worst: named(worst),
    nearLimit: named(nearLimit),
    groups: groups && { by: groups.by, of: groups.of },
    against: compared && { name: compared.name, ...compared.comparison },
    noise,
    warnings: about.warnings,
  };
  return `${harmlessJson(document, 2)}\n`;
}
