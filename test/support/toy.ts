/** A problem that needs nothing: a counter outside, tools that move it, two stages, a check and a grade. */

import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import type { Agent, Run } from '../../src/core/agent.ts';
import { requireReply } from '../../src/core/cut-off.ts';
import { defineAgent } from '../../src/core/define.ts';
import { LimitReached } from '../../src/core/errors.ts';
import { textOf } from '../../src/core/model.ts';
import type { Family, Problem, ProblemSpec } from '../../src/core/problem.ts';

export type Outside = { log(line: string): void };

/** Every effect on the world leaves a line in a file, which survives any kill. */
export function outsideFile(path: string): Outside {
  return { log: (line) => appendFileSync(path, `${line}\n`) };
}

export function toyFamily(outside: Outside): Family {
  return {
    name: 'toy',
    async load(reference): Promise<ProblemSpec> {
      const { content = 'toy' } = reference as { content?: string };
      return {
        family: 'toy',
        id: 'toy-1',
        title: 'Toy',
        reference: { content },
        contentHash: content,
        statement: [{ type: 'text', text: 'Count.' }],
        brief: { task: 'count', answerFormat: 'a number', criteria: 'the number', environment: '' },
        stages: ['first', 'second'],
        detail: {},
      };
    },
    open: (spec): Problem => ({
      spec,
      tools: [
        {
          name: 'step',
          description: 'Goes a step.',
          parameters: z.object({ n: z.number(), finish: z.boolean().optional() }),
          repeat: 'safe',
          async call(args, context) {
            outside.log(`tool step ${args.n}`);
            const to = context.stage === 'first' ? 'second' : null;
            const advance = args.finish ? { advance: { to, statement: 'more' } } : {};
            return { text: `stepped ${args.n} in ${context.stage} after ${context.past.length}`, ...advance };
          },
        },
      ],
      async check(answer) {
        outside.log('check');
        return { pass: answer.type === 'text' && answer.text.length > 3, feedback: 'checked' };
      },
      async grade({ answer }) {
        outside.log('grade');
        const text = answer?.type === 'text' ? answer.text : '';
        return { correct: text.length > 0, explanation: `graded ${text}` };
      },
    }),
  };
}

async function say(run: Run, text: string): Promise<string> {
  const reply = requireReply(await run.generate('solver', { messages: [{ role: 'user', content: text }] }));
  return textOf(reply.message);
}

const common = {
  settings: z.object({ rounds: z.number().default(4) }),
  roles: ['solver'],
  prompts: { go: 'go' },
};

/** (a) One line of effects of every kind. */
export const lineAgent = defineAgent({
  ...common,
  name: 'line',
  needs: ['tools'],
  async solve(_problem, run, { rounds }) {
    let said = '';
    for (let n = 0; n < rounds; n += 1) {
      said = await say(run, `round ${n} ${said.slice(0, 40)} ${run.random().toFixed(6)} ${run.stage}`);
      await run.tool('step', { n, finish: n === 1 });
      run.note('round', { n, at: (await run.now()) > 0 });
      for (const hint of await run.inbox()) said += hint;
    }
    await run.tool('nothing', {});
    const verdict = await run.check({ type: 'text', text: said });
    return { end: 'answered', answer: { type: 'text', text: `${said} ${verdict.pass}` } };
  },
});

/** (b) Three branches that read and write one archive. */
export const archiveAgent = defineAgent({
  ...common,
  name: 'archive',
  needs: [],
  async solve(_problem, run, { rounds }) {
    const archive: string[] = ['seed'];
    const island = async (here: Run): Promise<void> => {
      for (let n = 0; n < rounds; n += 1) {
        const parent = archive[Math.floor(here.random() * archive.length)] ?? '';
        archive.push(await say(here, `improve ${parent} of ${archive.length}`));
        if (n % 2 === 1) await here.tool('step', { n: archive.length });
      }
    };
    await Promise.all(['a', 'b', 'c'].map((name) => run.branch(name, island)));
    return { end: 'answered', answer: { type: 'text', text: archive.join(' ') } };
  },
});

/** (c) Five voters; two votes that agree end the others. */
export const voteAgent = defineAgent({
  ...common,
  name: 'vote',
  needs: [],
  async solve(_problem, run, { rounds }) {
    const voter = async (here: Run): Promise<string> => {
      let vote = '';
      for (let n = 0; n < 1 + Math.floor(here.random() * rounds); n += 1)
        vote = await say(here, `vote ${n} ${vote}`);
      return vote.slice(0, 1) < '8' ? 'low' : 'high';
    };
    const voters = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`voter-${n}`, voter]));
    const results = await run.until(voters, (votes) => {
      const values = votes.map((vote) => (vote.ok ? vote.value : ''));
      return values.some((value, index) => value && values.indexOf(value) !== index);
    });
    const text = results.map((result) => `${result.name}=${result.ok ? result.value : 'failed'}`).join(',');
    return { end: 'answered', answer: { type: 'text', text: `${text} ${await say(run, `after ${text}`)}` } };
  },
});

/** (d) Branches that race into a limit, and hand in what they have. */
export const limitAgent = defineAgent({
  ...common,
  name: 'limit',
  needs: [],
  async solve(_problem, run) {
    const best: string[] = [];
    const racer = async (here: Run): Promise<string> => {
      for (let n = 0; n < 50; n += 1) best.push(await say(here, `run ${n} ${best.length}`));
      return 'finished';
    };
    try {
      await run.race({ a: racer, b: racer, c: racer });
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      run.note('limit', { limit: error.limit });
    }
    return { end: 'answered', answer: { type: 'text', text: best.join(' ') } };
  },
});

/** (e) A session that its branches take over, each with a line of its own from there, and that goes on after them. */
export const sessionAgent = defineAgent({
  ...common,
  name: 'session',
  needs: [],
  async solve(_problem, run, { rounds }) {
    const shared = run.session();
    await shared.exec(program(`write a.txt begun\nfill long ${600}`));
    const grow = async (here: Run): Promise<string> => {
      let seen = '';
      for (let n = 0; n < rounds; n += 1) {
        const said = await say(here, `round ${n} ${seen}`);
        const { run: done } = await here.session().exec(program(`append a.txt ,${said.slice(0, 4)}${n}`));
        seen = done?.stdout.text ?? '';
      }
      return seen;
    };
    const results = await run.until({ a: grow, b: grow }, (ended) => ended.length === 2);
    const broken = await shared.exec(program('broken'));
    const [, last] = await Promise.all([
      shared.exec(program('append a.txt ,one')),
      shared.exec(program('append a.txt ,two')),
    ]);
    const text = JSON.stringify([results, broken.run, last.run?.stdout.text, last.folder]);
    return { end: 'answered', answer: { type: 'text', text } };
  },
});

const program = (source: string) => ({ language: 'python', source }) as const;

export const toyAgents: readonly Agent[] = [lineAgent, archiveAgent, voteAgent, limitAgent, sessionAgent];
