/** Replies of which several are drawn side by side: answers by a chain of thought, grouped by equality. It knows no agent. */
import type { BranchFunction, BranchResult, Run } from '../../core/agent.ts';
import { requireReply } from '../../core/cut-off.ts';
import { LimitReached } from '../../core/errors.ts';
import { isCutOff, type Message, type ModelRequest, textOf } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { withoutThoughts } from '../../text/model-json.ts';
import {
  briefFields,
  noAnswerPrompt,
  type ReplyReading,
  readAnswer,
  requestReading,
  system,
} from './asking.ts';

export const drawPrompts = {
  draw: `What to do: {{task}}

What counts as an answer: {{answerFormat}}

How it is judged: {{criteria}}

Reason step by step, then state your answer in that form.`,

  noAnswer: noAnswerPrompt,
};

type Draw = {
  readonly problem: Problem;
  readonly role: string;
  readonly settings: ModelRequest['settings'];
};

/** Null if there is no answer in the reply, nor in the next one. */
export function drawAnswer({ problem, role, settings }: Draw, run: Run): Promise<Answer | null> {
  const brief = briefFields(problem);
  const messages: Message[] = [
    system(run.prompt('draw', brief)),
    { role: 'user', content: problem.spec.statement },
  ];
  const read = (text: string) => readAnswer(problem, text);
  return requestOnce(run, role, { messages, settings }, read, (feedback) =>
    run.prompt('noAnswer', { feedback, answerFormat: brief.answerFormat ?? '' }),
  );
}

/** What is read in a reply, which is asked about once if it cannot be read; null if the next one cannot be, either. */
export async function requestOnce<T>(
  run: Run,
  role: string,
  request: ModelRequest,
  read: (text: string) => ReplyReading<T>,
  repairPrompt: (feedback: string) => string,
): Promise<T | null> {
  const { reading } = await requestReading({
    messages: request.messages,
    repairs: 1,
    async request(messages) {
      const received = await run.generate(role, { ...request, messages });
      return received.ok && isCutOff(received) ? received : requireReply(received);
    },
    read: (reply) => read(withoutThoughts(textOf(reply.message)).trim()),
    repairPrompt,
  });
  return reading.ok ? reading.value : null;
}

/** The largest group first; of equal ones the earlier. An answer joins the first group whose first answer it equals. */
export function groupAnswers(
  { equal }: Pick<Problem, 'equal'>,
  answers: readonly (Answer | null)[],
): readonly Answer[][] {
  const isEqual = equal ?? ((a: Answer, b: Answer) => JSON.stringify(a) === JSON.stringify(b));
  const groups: Answer[][] = [];
  for (const answer of answers.filter((answer) => answer !== null)) {
    const group = groups.find(([first]) => first && isEqual(first, answer) && isEqual(answer, first));
    if (group) group.push(answer);
    else groups.push([answer]);
  }
  return groups.toSorted((a, b) => b.length - a.length);
}

/** In the order of `items`, `atOnce` side by side. What a limit ended is left out, unless nothing else is there. */
export async function inBranches<Item, T>(
  run: Run,
  { name, items, atOnce = items.length }: { name: string; items: readonly Item[]; atOnce?: number },
  work: (item: Item) => BranchFunction<T>,
): Promise<readonly T[]> {
  const prefix = run.stage === '' ? name : `${run.stage}-${name}`;
  const branches = items.map((item, at) => [`${prefix}-${at + 1}`, work(item)] as const);
  const ended: BranchResult<T>[] = [];
  for (let from = 0; from < branches.length && ended.every(({ ok }) => ok); from += atOnce) {
    const batch = branches.slice(from, from + atOnce);
    ended.push(...(await run.until(Object.fromEntries(batch), (results) => results.length === batch.length)));
  }
  const errors = ended.flatMap((result) => (result.ok ? [] : [result.error]));
  const error = errors.find((each) => !(each instanceof LimitReached)) ?? errors[0];
  if (error && (!(error instanceof LimitReached) || errors.length === ended.length)) throw error;
  return branches.flatMap(([branch]) => {
    const result = ended.find((each) => each.name === branch);
    return result?.ok ? [result.value] : [];
  });
}
