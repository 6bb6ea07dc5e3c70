/**
 * The pattern `repair` (Self-Debug, Chen et al., arXiv 2304.05128): a failed program goes to a repairer with its error and the
 * smallest input that shows it. The repairer explains the program, then corrects it, and its program is run in the place of the
 * failed one. Differences: one repair for each failed program, outside of the conversation, which sees the corrected program
 * and its result. Usual cost: one call and one tool call for each failed program.
 */
import type { JsonObject } from '../../core/json.ts';
import type { Tool, ToolResult } from '../../core/problem.ts';
import { codeBlocks, selectProgram } from '../../text/code-blocks.ts';
import { requestHelp, type Statement, shorten, type Work } from './helper.ts';

export const repairPrompts = {
  repairer: `You correct programs that fail. You change nothing that works.

What the program is for: {{task}}

{{environment}}`,

  repairProgram: `This program failed:

\`\`\`
{{program}}
\`\`\`

What happened:

{{error}}

{{input}}

Explain in a few lines what the program does with this input and where that goes wrong. Then write the corrected program, complete, in one fenced block that names its language.`,

  repairInput: `The smallest input that shows it:

\`\`\`
{{input}}
\`\`\``,

  repaired: `[The program failed, and a repairer corrected it. The program that was run instead:

\`\`\`
{{program}}
\`\`\`]

{{result}}`,
};

type FailedProgram = {
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly program: string;
  readonly result: ToolResult;
};

/** The result of the corrected program, or the failed one, if there is no correction. */
export async function repairProgram(
  work: Work,
  statement: Statement,
  { tool, args, program, result }: FailedProgram,
): Promise<ToolResult> {
  const { run, problem, used } = work;
  const { task, environment } = problem.spec.brief;
  const input = result.data?.failedInput;
  const text = await requestHelp(work, {
    kind: 'repair',
    instructions: run.prompt('repairer', { task, environment }),
    statement,
    question: run.prompt('repairProgram', {
      program,
      error: shorten(result.text, maxCharacters),
      input:
        typeof input === 'string' ? run.prompt('repairInput', { input: shorten(input, maxCharacters) }) : '',
    }),
  });
  const programs = codeBlocks(text ?? '')
    .filter(({ language, isClosed }) => isClosed && (language === '' || tool.program?.accepts(language)))
    .map(({ code }) => code);
  const corrected = programs.length === 0 ? undefined : selectProgram(programs, program);
  if (!corrected || corrected.trim() === program.trim() || !tool.program) return result;
  used.toolCalls += 1;
  const repaired = await run.tool(tool.name, { ...args, [tool.program.parameter]: corrected });
  return { ...repaired, text: run.prompt('repaired', { program: corrected, result: repaired.text }) };
}

/** Of an error, and of an input. */
const maxCharacters = 4_000;
