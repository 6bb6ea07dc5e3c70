/**
 * ReAct: steps of a thought and an action, which is a Python program in a session, until the model states its answer.
 * A history that grows too long is summarised; the prompt, the question and the last observation stay as they are.
 */
import { z } from 'zod';
import type { Session } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { type Message, textOf } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { assistant, user } from '../kit/asking.ts';
import { firstPythonIn } from '../kit/code.ts';
import {
  alone,
  ask,
  CameToNothing,
  type Found,
  questionTurn,
  type Reply,
  readReply,
  systemTurn,
  type Task,
  telling,
} from './asking.ts';
import { accountOf, accountText } from './program-account.ts';
import { reactPrompts } from './prompts.ts';
import { callSettings, programRequest, reactSettings, usualOf } from './settings.ts';

const settingsSchema = z.object({ ...callSettings, ...reactSettings });
export type ReactSettings = z.infer<z.ZodObject<typeof reactSettings>>;

export const reactAgent = defineAgent({
  name: 'react',
  settings: settingsSchema,
  needs: ['parse'],
  roles: ['solver', 'summariser'],
  usual: () => usualOf(['react']),
  demands: () => ({ languages: ['python'] }),
  prompts: reactPrompts,

  solve(problem, run, settings) {
    return alone('react', { problem, run, settings }, (task) => react(task, settings));
  },
});

export async function react(task: Task, settings: ReactSettings): Promise<Found> {
  const begin = [systemTurn(task, 'react', { steps: `${settings.steps}` }), questionTurn(task)];
  const session = task.run.session('react');
  const history = new History();
  let summaries = 0;
  let canSummarise = true;

  for (let step = 1; step <= settings.steps; step += 1) {
    const reply = await telling(
      () => ({ steps: step, summaries }),
      async () => {
        if (canSummarise && history.tokens > settings.historyTokens && history.isLong) {
          const short = await summary(task, history);
          if (short === null) canSummarise = false;
          else {
            history.replaceAllButLast(short);
            summaries += 1;
          }
        }
        return ask(task, 'solver', [...begin, ...history.messages]);
      },
    );
    const isLast = step === settings.steps;
    const move = moveIn(task.problem, reply, { mayAct: !isLast });
    if (move.kind === 'answer') return { answer: move.answer, steps: step, summaries };
    if (isLast) break;
    const observation = await observed(task, session, move, settings);
    history.add(move.said, user(told(task, observation, settings.steps - step)));
  }
  throw new CameToNothing('steps', `${settings.steps} steps were taken, and none of them states an answer.`, {
    steps: settings.steps,
    summaries,
  });
}

type Move =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'action'; readonly code: string; readonly said: Message }
  | { readonly kind: 'nothing'; readonly feedback: string; readonly said: Message };

/** An action goes before an answer that stands behind it: the model cannot have seen yet what the action shows. */
function moveIn(problem: Problem, { text, message, finish }: Reply, { mayAct }: { mayAct: boolean }): Move {
  const stated = statedAt(text);
  const block = firstPythonIn(text);
  if (mayAct && block && !(stated !== null && stated < block.start)) {
    if (!block.isClosed && finish === 'length')
      return { kind: 'nothing', feedback: 'The reply was cut off before the program ended.', said: message };
    // Observations that it made up are not given back to it.
    const said = text.slice(block.end).trim() === '' ? message : assistant(text.slice(0, block.end));
    return { kind: 'action', code: block.code, said };
  }
  if (stated === null) return { kind: 'nothing', feedback: '', said: message };
  const read = readReply(problem, { text: text.slice(stated), finish });
  return read.answer
    ? { kind: 'answer', answer: read.answer }
    : { kind: 'nothing', feedback: read.feedback, said: message };
}

/** Where an answer is stated as such: what is merely said last may be half a thought. */
function statedAt(text: string): number | null {
  const line = [...text.matchAll(/^(?:[>*_#-]|[^\S\r\n\u2028\u2029])*final answer\b[\s*_]*[:=]?/gim)].at(
    -1,
  )?.index;
  const box = text.lastIndexOf('\\boxed{');
  const tag = text.lastIndexOf('<answer>');
  const at = Math.max(line ?? -1, box, tag);
  return at < 0 ? null : at;
}

async function observed(
  { run }: Task,
  session: Session,
  move: Move,
  settings: ReactSettings,
): Promise<string> {
  if (move.kind !== 'action')
    return run.prompt('noMove', { feedback: move.kind === 'nothing' ? move.feedback : '' });
  const result = await session.exec(programRequest(move.code, settings));
  return accountText(accountOf(result, settings.outputCharacters));
}

function told({ run }: Task, observation: string, stepsLeft: number): string {
  const left = stepsLeft === 1 ? run.prompt('lastStep') : run.prompt('stepsLeft', { steps: `${stepsLeft}` });
  return run.prompt('observation', { observation, left });
}

/**
 * Of all steps so far; the last observation stays as it is besides. Null where the summariser refuses or fails: the steps
 * themselves are still there, and it is not asked a second time.
 */
async function summary(task: Task, history: History): Promise<string | null> {
  const turn = user(task.run.prompt('summarise', { history: history.transcript }));
  try {
    const { text } = await ask(task, 'summariser', [questionTurn(task), turn]);
    return task.run.prompt('summary', { summary: text.trim() });
  } catch (error) {
    if (error instanceof CameToNothing) return null;
    throw error;
  }
}

type Step = { readonly said: Message; readonly observation: Message };

/** The steps of a ReAct run as a conversation, and what is left of it when it is summarised. */
export class History {
  #summary: string | null = null;
  #steps: Step[] = [];

  add(said: Message, observation: Message): void {
    this.#steps.push({ said, observation });
  }

  get messages(): Message[] {
    const steps = this.#steps.flatMap(({ said, observation }) => [said, observation]);
    if (this.#summary === null) return steps;
    const summary = { role: 'user', content: this.#summary } as const;
    return [summary, ...steps];
  }

  /** Whether there is something besides the last observation that a summary could make shorter. */
  get isLong(): boolean {
    return this.#steps.length > 1;
  }

  /** An estimate, the same on every machine: four bytes are a token. */
  get tokens(): number {
    return Math.ceil(new TextEncoder().encode(this.transcript).length / 4);
  }

  /** For who summarises it. */
  get transcript(): string {
    return this.messages.map((message) => wordsOf(message)).join('\n\n');
  }

  /** All steps go but what the last one showed. */
  replaceAllButLast(summary: string): void {
    const last = this.#steps.at(-1);
    this.#summary = last ? `${summary}\n\n${wordsOf(last.observation)}` : summary;
    this.#steps = [];
  }
}

function wordsOf(message: Message): string {
  if (message.role === 'assistant') return textOf(message);
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
