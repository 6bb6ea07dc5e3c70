/**
 * The first program of an island, by its strategy: asked of a model with all that the strategy draws on, and asked for
 * once more where the reply holds none. Where nothing comes of it, it is the problem's template, so that no island is empty.
 */
import type { OfUse, Run } from '../../core/agent.ts';
import type { Problem } from '../../core/problem.ts';
import type { Strategy } from '../../notes/evolution.ts';
import { modelSettings, user } from '../kit/asking.ts';
import type { ProblemAnalysis } from './analysis.ts';
import { ask, type Draft, Meter, opening } from './asking.ts';
import { asOneFile, programIn } from './program-reply.ts';
import type { EvolutionSettings } from './settings.ts';
import { offered } from './sources.ts';

export type Beginning = {
  readonly analysis: ProblemAnalysis;
  readonly strategy: Strategy;
  readonly settings: EvolutionSettings;
  /** What the user said so far, in the order in which it was said. */
  readonly hints: readonly string[];
  /** Until when it is of use; missing: always. */
  readonly use?: OfUse;
};

const attempts = 2;

/** A whole program. It need not compile: its caller has it repaired. */
export async function firstProgram(run: Run, problem: Problem, beginning: Beginning): Promise<Draft> {
  const { settings, use, strategy } = beginning;
  const meter = new Meter();
  const messages = [...opening(run, problem), user(await questionOf(run, problem, beginning))];
  let detail = '';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const question = { role: 'solver', messages, settings: modelSettings(settings), use } as const;
    const reply = await ask(run, meter, question);
    if (!reply.ok) {
      detail = reply.why;
      break;
    }
    const read = programIn(problem, reply);
    if (read.ok) {
      const source = await asOneFile(run, problem, read.source);
      const summary = `${strategy.name}: ${firstLine(reply.text)}`;
      return { ...meter.spent, source, summary, detail: '' };
    }
    detail = read.feedback;
    messages.push(reply.message, user(run.prompt('noProgram', { feedback: detail })));
  }
  const source = problem.program?.template ?? '';
  return { ...meter.spent, source, summary: `${strategy.name}: begins with the template`, detail };
}

const mostSummary = 120;

/** What stands above the program. */
function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  const words = /^\s*[`~]{3}/.test(line) ? '' : line.trim();
  return words.length <= mostSummary ? words : `${words.slice(0, mostSummary - 1)}…`;
}

async function questionOf(
  run: Run,
  problem: Problem,
  { analysis, strategy, hints }: Beginning,
): Promise<string> {
  const { raw_problem_text_path: _, problem_statement_summary: __, ...fields } = analysis;
  return run.prompt('firstProgram', {
    // The statement stands above it, whole.
    analysis: JSON.stringify(fields),
    name: strategy.name,
    idea: strategy.idea,
    reasons: strategy.reasons,
    sources: await sourcesText(run, problem, strategy),
    hints:
      hints.length === 0
        ? ''
        : run.prompt('userHints', { hints: hints.map((hint) => `- ${hint}`).join('\n') }),
    template: problem.program?.template ?? '',
  });
}

const [mostEntries, mostContests] = [4, 2];

async function sourcesText(run: Run, problem: Problem, { library, contests }: Strategy): Promise<string> {
  const entries: string[] = [];
  for (const name of library.slice(0, mostEntries)) {
    const shown = await offered(run, problem, 'library_show', { name });
    if (shown) entries.push(shown.text);
  }
  const past: string[] = [];
  for (const id of contests.slice(0, mostContests)) {
    const shown = await offered(run, problem, 'contests_show', { contest_id: id });
    if (shown) past.push(shown.text);
  }
  return [
    entries.length === 0 ? '' : run.prompt('librarySources', { entries: entries.join('\n\n') }),
    past.length === 0 ? '' : run.prompt('contestSources', { entries: past.join('\n\n') }),
  ].join('');
}
