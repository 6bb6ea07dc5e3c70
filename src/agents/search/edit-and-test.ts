/**
 * One conversation that edits a program and is told how each version does on the cases: no population, no chance, all of
 * the history in sight. A version that is not better is still what the next edit refers to, as its model sees it.
 */
import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import type { Message } from '../../core/model.ts';
import { user } from '../kit/asking.ts';
import { described } from '../kit/described.ts';
import { orAtLimit } from '../kit/limit.ts';
import { opening } from './asking.ts';
import { proposed } from './best-of-n.ts';
import { Measured, measuring } from './measured.ts';
import { enginePrompts } from './prompts.ts';
import texts from './settings.json' with { type: 'json' };

const name = 'edit-and-test';
const fields = {
  turns: z.int().min(1).max(10_000).default(20),
  source: z.string().min(1).nullable().default(null),
};
const settingsOfEdits = z.strictObject({ ...described(fields, texts.editAndTest), ...measuring });

export const editAndTest = defineAgent({
  name,
  settings: settingsOfEdits,
  needs: ['program'],
  prompts: enginePrompts,
  usual: ({ turns }) => ({ turns, outputTokens: 3_000, carriedTokens: 3_000 }),

  async solve(problem, run, settings) {
    const { program: task } = problem;
    const measured = new Measured(run, name, { task, settings });
    let number = 0;
    let isContextFull = false;
    const turns = Math.min(settings.turns, run.limits.modelCalls ?? settings.turns);
    const engine = { measured, name, settings, mayAsk: () => number < turns, next: () => (number += 1) };
    const converse = async (): Promise<string> => {
      let program = settings.source;
      if (program) await measured.run(run, program, 'the given program');
      const fenced = `\`\`\`${task.language}\n${program?.trimEnd()}\n\`\`\``;
      const account = () => accountOf(measured);
      const first = program
        ? run.prompt('edit', { program: fenced, account: account() })
        : run.prompt('drawn', { template: task.template, draft: '' });
      let messages: readonly Message[] = [...opening(run, problem), user(first)];
      for (let turn = 0; engine.mayAsk(); turn += 1) {
        if (turn > 0 && !(await measured.hasTime(run))) return 'The time is over.';
        const tried = await proposed(run, problem, engine, { messages, base: program });
        if (tried.status === 'unanswered') {
          isContextFull = tried.isContextFull;
          return tried.detail;
        }
        // Blocks refer to what was last written, also where it fails.
        program = tried.source ?? program;
        const told =
          tried.status === 'evaluated'
            ? run.prompt('tested', { account: account() })
            : run.prompt('failed', { detail: tried.detail });
        messages = [...messages, tried.message, user(told)];
      }
      return 'All turns are used.';
    };
    const because = await orAtLimit(converse, (message) => message);
    const solution = await measured.handIn(run, because);
    return isContextFull ? { ...solution, limit: 'context' } : solution;
  },
});

const worstShown = 5;

/** The last version against the best before it, and the cases where it loses most against what is known of them. */
function accountOf(measured: Measured): string {
  const last = measured.ran.at(-1);
  if (!last) return 'It does not work yet.';
  const best = measured.ranked()[0];
  const rules = { timeMargin: 1 };
  const share = (outcome: (typeof last.outcomes)[number]) => measured.points.share(outcome, rules);
  const worst = last.outcomes.toSorted((a, b) => share(a) - share(b)).slice(0, worstShown);
  return [
    `Mean score of the last version on ${last.outcomes.length} cases: ${measured.scoreOf(last) ?? 'none'}.`,
    best && best !== last
      ? `The best so far is ${best.name}, at ${measured.scoreOf(best)}.`
      : 'It is the best so far.',
    `Its worst cases: ${worst.map(({ name: of, score }) => `${of} ${score ?? 'none'}`).join(', ')}.`,
  ].join('\n');
}
