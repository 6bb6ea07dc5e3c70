/**
 * The best of so many programs that build on nothing: each is asked for alike, repaired where it fails, and run on all
 * cases. What any search has to beat at equal cost.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { cutFeedback, describeCut } from '../../core/cut-off.ts';
import { defineAgent, type ProblemWith } from '../../core/define.ts';
import type { Message } from '../../core/model.ts';
import { noteOfBest } from '../../notes/best-of-n.ts';
import { modelSettings, user } from '../kit/asking.ts';
import { described } from '../kit/described.ts';
import { orAtLimit } from '../kit/limit.ts';
import { ask, ideaIn, Meter, opening } from './asking.ts';
import { asOneFile, startingText } from './first-programs.ts';
import { Measured, type Measuring, measuring } from './measured.ts';
import { readProposal } from './operators/proposal-in-reply.ts';
import { enginePrompts } from './prompts.ts';
import { sideBySide } from './search.ts';
import texts from './settings.json' with { type: 'json' };
import usual from './usual-strategies.json' with { type: 'json' };

const name = 'best-of-n';
const fields = {
  programs: z.int().min(1).max(100_000).default(16),
  atOnce: z.int().min(1).max(32).default(4),
};
const settingsOfBest = z.strictObject({ ...described(fields, texts.bestOfN), ...measuring });

export const bestOfN = defineAgent({
  name,
  settings: settingsOfBest,
  needs: ['program'],
  prompts: enginePrompts,
  usual: ({ programs }) => ({ turns: Math.ceil(programs * 1.25), outputTokens: 4_000, carriedTokens: 0 }),

  async solve(problem, run, settings) {
    const measured = new Measured(run, { task: problem.program, settings });
    const state = { begun: 0, asked: 0, over: '' };
    // A call that is refused would break off what the others still run.
    const mayAsk = () => state.asked < (run.limits.modelCalls ?? Number.POSITIVE_INFINITY);
    const drawing = { measured, settings, mayAsk, next: () => (state.asked += 1) };
    const drawOne = async (here: Run): Promise<void> => {
      while (state.over === '' && state.begun < settings.programs && mayAsk()) {
        if (state.begun > 0 && !(await measured.hasTime(here))) state.over = 'The time is over.';
        else {
          state.begun += 1;
          await drawn(here, problem, drawing, state.begun);
        }
      }
    };
    const lines = Array.from({ length: settings.atOnce }, (_, at) => `draw-${at + 1}`);
    const line = (_: string, here: Run) =>
      orAtLimit(
        () => drawOne(here),
        (message) => {
          state.over ||= message;
        },
      );
    await sideBySide(run, lines, String, line);
    return measured.handIn(run, state.over);
  },
});

type Drawing = {
  readonly measured: Measured;
  readonly settings: Measuring;
  next(): number;
  /** Whether calls are left. */
  mayAsk(): boolean;
};

/** The first as its author likes best; to each of the others another approach is named, or they would be the first again. */
async function drawn(run: Run, problem: ProblemWith<'program'>, drawing: Drawing, number: number) {
  const { template } = problem.program;
  const { name, idea } = (number > 1 && usual[(number - 2) % usual.length]) || { name: '', idea: '' };
  const draft =
    name && `Others write one beside you; yours is of this kind, unless it fits badly: ${name}. ${idea}`;
  const question = run.prompt('drawn', { draft, start: startingText(run, template) });
  let messages: readonly Message[] = [...opening(run, problem), user(question)];
  for (let tries = 0; tries <= drawing.settings.repairs && drawing.mayAsk(); tries += 1) {
    const tried = await proposed(run, problem, drawing, messages);
    if (tried.status === 'evaluated' || tried.status === 'unanswered' || tried.status === 'cut') return;
    const again = tried.cut ?? run.prompt('failed', { detail: tried.detail });
    messages = [...messages, tried.message, user(again)];
  }
}

/** One reply: read, run on the cases of the search, and noted. */
async function proposed(
  run: Run,
  problem: ProblemWith<'program'>,
  { measured, settings, next }: Drawing,
  messages: readonly Message[],
) {
  const number = next();
  const meter = new Meter();
  const reply = await ask(run, { role: 'solver', messages, settings: modelSettings(settings) }, meter);
  const read = reply.ok ? readProposal(reply, null) : { source: null, trouble: reply.why };
  const source = read.source === null ? null : await asOneFile(run, problem, read.source);
  const trouble = (reply.ok && describeCut(reply)) || ('trouble' in read ? read.trouble : '');
  measured.unusable = read.source === null && reply.ok ? trouble : '';
  const fate =
    source === null
      ? ({
          status: reply.ok ? 'unusable' : 'unanswered',
          detail: trouble,
        } as const)
      : await measured.run(run, source, `program ${number}`);
  const outcomes = 'outcomes' in fate ? fate.outcomes : [];
  const { status, detail } = fate;
  noteOfBest(run, 'program', {
    ...{ number, source: source ?? '', status, detail, cases: outcomes.length, calls: meter.spent.calls },
    summary: reply.ok ? ideaIn(reply.text, `program ${number}`) : '',
    score: status === 'evaluated' ? measured.scoreOf({ outcomes }) : null,
  });
  const message = reply.ok ? reply.message : ({ role: 'assistant', content: [] } as const);
  return { status, detail, message, cut: reply.ok ? cutFeedback(reply) : null };
}
