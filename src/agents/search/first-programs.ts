/**
 * The first program of an island, by its strategy. It is asked for once more where the reply holds none; after that the
 * problem's template takes its place, if there is one.
 */

import type { Run } from '../../core/agent.ts';
import { cutFeedback, describeCut } from '../../core/cut-off.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Problem } from '../../core/problem.ts';
import type { Strategy } from '../../notes/evolution.ts';
import { type ProblemAnalysis, problemAnalysis } from '../../notes/problem-analysis.ts';
import { codeBlocks } from '../../text/code-blocks.ts';
import { modelSettings, user } from '../kit/asking.ts';
import { ask, clause, type Draft, ideaIn, Meter, opening, type Reply } from './asking.ts';
import { hintsOf, ofUseIn, type Search } from './search.ts';
import type { EvolutionSettings } from './settings.ts';
import { offered } from './sources.ts';

export const firstProgramPrompts = {
  firstProgram: `{{analysis}}The strategy of this line of search, which you follow even if you would choose another: {{name}}

{{idea}}

{{reasons}}{{sources}}{{hints}}{{start}}

Write the first program of this strategy, whole. It will be improved many times, so write it to be changed:
- It reads all of the input exactly as stated, and ALWAYS prints a valid output: build a simple valid answer first, keep the best one so far, print that at the end.
- One clock, as "Time limit" says, bounds everything. Look at it once every few hundred steps, not at each one.
- The inner loop allocates nothing and copies no whole state: changes are applied, their difference of the score computed, and taken back.
- Every number that is a choice of yours is a named constant at the top, with the range that makes sense: \`const double START_TEMPERATURE = 100.0; // tune: 10..1000 log\`, \`const int BEAM_WIDTH = 50; // tune: int 5..500 log\`.
- Its own seeded generator of random numbers; no reading of files, no threads. At its end one short line on standard error with what would help to make it better (steps, restarts, width reached): you are shown it.
- Plain and short: no code that the strategy does not need.

Begin with one line that says what it does: IDEA: …

Then give the program in one fenced block of code.`,
  startingProgram: `

Take the reading of the input, the clock and the output from this; nothing else of it need stay:

\`\`\`cpp
{{template}}
\`\`\``,
  librarySources: `

Interfaces of the algorithm library; what you include by its name is put in:

{{entries}}`,
  contestSources: `

Past contests that the strategy borrows from:

{{entries}}`,
  userHints: `

The user of this search says:
{{hints}}`,
  noProgram: `{{feedback}} Send the whole program again, in one block of code.`,
};

const attempts = 2;

/** A complete program. It need not compile: its caller has it repaired. */
export async function firstProgram(
  run: Run,
  search: Search,
  { strategy, own = null }: { readonly strategy: Strategy; readonly own?: string | null },
): Promise<Draft & { readonly isUnanswered: boolean }> {
  const { problem, settings } = search;
  const meter = new Meter();
  const template = own ?? problem.program?.template ?? '';
  const messages = [...opening(run, problem), user(await questionOf(run, search, strategy, template))];
  let [detail, isUnanswered] = ['', false];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const question = { messages, settings: modelSettings(settings), use: ofUseIn(search) };
    const reply = await ask(run, { role: 'solver', ...question }, meter);
    if (!reply.ok) {
      [detail, isUnanswered] = [reply.why, true];
      break;
    }
    const read = programIn(problem, reply);
    if (read.type === 'source') {
      const source = await asOneFile(run, problem, read.source);
      const said = clause(ideaIn(reply.text, ''), mostSummary);
      const summary = said ? `${strategy.name}: ${said}` : strategy.name;
      return { ...meter.spent, source, summary, detail: '', isUnanswered: false };
    }
    detail = describeCut(reply) ?? read.feedback;
    messages.push(
      reply.message,
      user(cutFeedback(reply) ?? run.prompt('noProgram', { feedback: read.feedback })),
    );
  }
  const common = { ...meter.spent, detail, isUnanswered };
  if (template.trim() === '') return { ...common, source: null, summary: strategy.name };
  return { ...common, source: template, summary: `${strategy.name}: begins with the template` };
}

const mostSummary = 120;

async function questionOf(run: Run, search: Search, strategy: Strategy, template: string): Promise<string> {
  const { problem, analysis, settings } = search;
  const { name, idea, reasons } = strategy;
  // Taken before anything is awaited: a resumed run must find the same ones.
  const hints = hintsOf(search).map(({ text }) => `- ${text}`);
  const sources = await sourcesText(run, problem, strategy);
  return run.prompt('firstProgram', {
    // The whole statement precedes it.
    analysis: fieldsText(run, settings, analysis),
    name,
    idea,
    reasons,
    sources,
    hints: hints.length === 0 ? '' : run.prompt('userHints', { hints: hints.join('\n') }),
    start: startingText(run, template),
  });
}

/** Empty where no template reads the input: then the model writes the first program by itself. */
export function startingText(run: Run, template: string): string {
  const readsInput = /\b(?:cin|scanf|getline|getchar(?:_unlocked)?|fread|read)\b/.test(template);
  return readsInput ? run.prompt('startingProgram', { template }) : '';
}

/** How an entry is used, where the tool says it apart: its code is put in by the include. */
function shortText(shown: Awaited<ReturnType<typeof offered>>): string {
  const { interface: used } = shown?.data ?? {};
  return typeof used === 'string' ? used : (shown?.text ?? '');
}

/** Of a model's analysis what the statement before it does not say; of its user's all, for it may correct the statement. */
export function fieldsText(
  run: Run,
  { analysis: own, confirm }: Pick<EvolutionSettings, 'analysis' | 'confirm'>,
  analysis: ProblemAnalysis,
): string {
  const isTheirs = own !== null || confirm;
  const isSaid = (name: string): boolean =>
    !isTheirs && name !== 'problem_type_tags' && name in problemAnalysis.shape;
  const fields = Object.entries(analysis).filter(([name, value]) => !isSaid(name) && !isEmpty(value));
  if (fields.length === 0) return '';
  return run.prompt('fields', { fields: JSON.stringify(Object.fromEntries(fields)) });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const [mostEntries, mostContests] = [4, 2];

async function sourcesText(run: Run, problem: Problem, { library, contests }: Strategy): Promise<string> {
  const shownBy = async (tool: string, calls: readonly JsonObject[]): Promise<string> => {
    const texts: string[] = [];
    for (const args of calls) texts.push(shortText(await offered(run, problem, tool, args)));
    return texts.filter(Boolean).join('\n\n');
  };
  const names = library.slice(0, mostEntries).map((name) => ({ name }));
  const entries = await shownBy('library_show', names);
  const ids = contests.slice(0, mostContests).map((id) => ({ contest_id: id }));
  const past = await shownBy('contests_show', ids);
  return `${entries && run.prompt('librarySources', { entries })}${past && run.prompt('contestSources', { entries: past })}`;
}

/** The program in a reply, as the problem reads it; else what is wrong, in words for the model. */
function programIn(problem: Problem, reply: Reply) {
  const { text } = reply;
  const cut = cutFeedback(reply);
  if (cut !== null) return { type: 'misfit', feedback: cut } as const;
  const read = problem.parse?.(text) ?? onlyProgram(text);
  if (read.type === 'source') return read;
  const feedback = read.type === 'misfit' ? read.feedback : 'The reply holds no program.';
  return { type: 'misfit', feedback } as const;
}

/** For problems that read no replies themselves: one block of code that is closed, and no other. */
function onlyProgram(text: string) {
  const [block, ...others] = codeBlocks(text).filter(({ code }) => code.trim() !== '');
  if (block?.isClosed && others.length === 0) {
    return { type: 'source', language: 'cpp', source: `${block.code}\n` } as const;
  }
  const several = `The reply holds ${others.length + 1} blocks of code: send one.`;
  const one = others.length > 0 ? several : 'The block of code is not closed.';
  return { type: 'misfit', feedback: block ? one : 'There is no block of code in the reply.' } as const;
}

/** With the headers of the algorithm library that it includes put in, where the problem offers that. */
export async function asOneFile(run: Run, problem: Problem, source: string): Promise<string> {
  if (!/^[ \t]*#\s*include\s*"/m.test(source)) return source;
  const inlined = await offered(run, problem, 'library_inline', { source });
  return inlined?.text ?? source;
}
