/**
 * The first program of an island, by its strategy. It is requested once more where the reply holds none; after that the
 * problem's template takes its place, if there is one.
 */
import type { Run } from '../../../core/agent.ts';
import { cutFeedback } from '../../../core/cut-off.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Problem } from '../../../core/problem.ts';
import type { Strategy } from '../../../notes/evolution.ts';
import { user } from '../../kit/asking.ts';
import { clause, firstMessages, type Reply } from '../asking.ts';
import { failedUserProgram } from '../population.ts';
import { hintsOf, type Search } from '../search.ts';
import { callTool } from '../sources.ts';
import { fieldsText } from '../strategies.ts';
import type { EditResult } from './blocks.ts';
import type { Operator } from './operator.ts';
import { extractProgram } from './proposal-in-reply.ts';
import { draftOf, modelParameters } from './propose.ts';

const maxSummary = 120;

export const initial: Operator = {
  name: 'initial',
  asks: 'first',
  prompts: {
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
  },

  async propose(work) {
    const { search, island, run, doing } = work;
    const { strategy } = island;
    doing(`asks for a first program: ${strategy.name}`);
    const template = failedUserProgram(island)?.source ?? search.task.template;
    const content = await requestText(run, search, strategy, template);
    // It need not compile: then it is repaired.
    const draft = await draftOf(work, {
      messages: [...firstMessages(run, search.problem), user(content)],
      summary: '',
      attempts: 2,
      read: (reply) => programIn(search.problem, reply),
      retry: async (error) => run.prompt('noProgram', { feedback: error }),
    });
    const parameters = modelParameters(search, 'solver');
    if (draft.source === null) {
      const summary = `${strategy.name}: begins with the template`;
      if (template.trim() !== '') return { ...draft, parameters, source: template, summary };
      return { ...draft, parameters, summary: strategy.name };
    }
    const idea = clause(draft.summary, maxSummary);
    const summary = idea ? `${strategy.name}: ${idea}` : strategy.name;
    return { ...draft, parameters, summary };
  },
};

async function requestText(run: Run, search: Search, strategy: Strategy, template: string): Promise<string> {
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

const [mostEntries, mostContests] = [4, 2];

async function sourcesText(run: Run, problem: Problem, { library, contests }: Strategy): Promise<string> {
  const shownBy = async (tool: string, calls: readonly JsonObject[]): Promise<string> => {
    const texts: string[] = [];
    for (const args of calls) texts.push(shortText(await callTool(run, problem, tool, args)));
    return texts.filter(Boolean).join('\n\n');
  };
  const names = library.slice(0, mostEntries).map((name) => ({ name }));
  const entries = await shownBy('library_show', names);
  const ids = contests.slice(0, mostContests).map((id) => ({ contest_id: id }));
  const previous = await shownBy('contests_show', ids);
  return `${entries && run.prompt('librarySources', { entries })}${previous && run.prompt('contestSources', { entries: previous })}`;
}

/** How an entry is used, where the tool says it apart: its code is put in by the include. */
function shortText(toolResult: Awaited<ReturnType<typeof callTool>>): string {
  const { interface: used } = toolResult?.data ?? {};
  return typeof used === 'string' ? used : (toolResult?.text ?? '');
}

/** As the problem reads it, where it reads replies itself. */
function programIn(problem: Problem, reply: Reply): EditResult {
  const error = cutFeedback(reply);
  if (error !== null) return { source: null, trouble: error };
  const read = problem.parse?.(reply.text);
  if (read === undefined) return extractProgram(reply.text);
  if (read.type === 'source') return read;
  return { source: null, trouble: read.type === 'misfit' ? read.feedback : 'The reply holds no program.' };
}
