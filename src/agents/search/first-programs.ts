/**
 * The first program of an island, by its strategy: asked of a model with all that the strategy draws on, and asked for
 * once more where the reply holds none. Where nothing comes of it, it is the problem's template, so that no island is empty.
 */

import type { OfUse, Run } from '../../core/agent.ts';
import type { Message } from '../../core/model.ts';
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

/** A whole program. It need not compile: what does not is repaired by who asked for it. */
export async function firstProgram(run: Run, problem: Problem, beginning: Beginning): Promise<Draft> {
  const meter = new Meter();
  const { settings, use } = beginning;
  const task: Task = { run, problem, settings, meter, use };
  const question = user(await questionOf(run, problem, beginning));
  const written = await write(task, [...opening(run, problem), question]);
  const { source, summary, detail } = written;
  const { name } = beginning.strategy;
  if (source !== null) return { ...meter.spent, source, summary: `${name}: ${summary}`, detail: '' };
  const template = problem.program?.template ?? '';
  return { ...meter.spent, source: template, summary: `${name}: begins with the template`, detail };
}

type Task = {
  readonly run: Run;
  readonly problem: Problem;
  readonly settings: EvolutionSettings;
  readonly meter: Meter;
  readonly use?: OfUse;
};

type Written = Pick<Draft, 'source' | 'summary' | 'detail'>;

const attempts = 2;

async function write(
  { run, problem, settings, meter, use }: Task,
  asked: readonly Message[],
): Promise<Written> {
  let messages = asked;
  let detail = '';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const question = { role: 'solver', messages, settings: modelSettings(settings) } as const;
    const reply = await ask(run, meter, { ...question, use });
    if (!reply.ok) return { source: null, summary: '', detail: reply.why };
    const read = programIn(problem, reply);
    if (read.ok) {
      const source = await asOneFile(run, problem, read.source);
      return { source, summary: firstLine(reply.text), detail: '' };
    }
    detail = read.feedback;
    messages = [...messages, reply.message, user(run.prompt('noProgram', { feedback: detail }))];
  }
  return { source: null, summary: '', detail };
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
