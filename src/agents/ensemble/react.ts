/**
 * ReAct: steps of a thought and an action, which is a Python program in a session, until the model states its answer.
 * A history that grows too long is summarised; the prompt, the question and the last observation stay as they are.
 */
import { z } from 'zod';
import type { Session } from '../../core/agent.ts';
import { cutFeedback } from '../../core/cut-off.ts';
import { defineAgent } from '../../core/define.ts';
import { isJsonObject } from '../../core/json.ts';
import { isCutOff, type Message, textOf } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { firstPythonIn } from '../../text/code-blocks.ts';
import { jsonInReply, withoutThoughts } from '../../text/model-json.ts';
import { assistant, readAnswer, user } from '../kit/asking.ts';
import {
  type Found,
  NoAnswerError,
  questionTurn,
  type Reply,
  requestReply,
  runSingleStrategy,
  systemTurn,
  type Task,
  truncatedReplyError,
  withFacts,
} from './asking.ts';
import { accountOf, accountText, programNotRun } from './program.ts';
import { reactPrompts } from './prompts.ts';
import { callSettings, programRequest, reactSettings, typicalCalls } from './settings.ts';

const settingsSchema = z.object({ ...callSettings, ...reactSettings });
type ReactSettings = z.infer<z.ZodObject<typeof reactSettings>>;

export const reactAgent = defineAgent({
  name: 'react',
  settings: settingsSchema,
  needs: ['parse'],
  roles: ['solver', 'summariser'],
  usual: () => typicalCalls(['react']),
  demands: () => ({ languages: ['python'] }),
  prompts: reactPrompts,

  solve(problem, run, settings) {
    return runSingleStrategy('react', { problem, run, settings }, (task) => react(task, settings));
  },
});

export async function react(task: Task, settings: ReactSettings): Promise<Found> {
  const begin = [systemTurn(task, 'react', { steps: `${settings.steps}` }), questionTurn(task)];
  const session = task.run.session('react');
  let history: readonly Message[] = [];
  let summaries = 0;
  let canSummarise = true;
  let [step, repairs, cutsInARow] = [1, 0, 0];

  while (step <= settings.steps) {
    const facts = () => ({ steps: step, summaries, repairs });
    const reply = await withFacts(facts, async () => {
      if (canSummarise && tokensIn(history) > settings.historyTokens && hasSeveralSteps(history)) {
        const short = await summarizeHistory(task, history);
        canSummarise = short !== null;
        if (short) summaries += 1;
        history = short ?? history;
      }
      return requestReply(task, 'solver', [...begin, ...history]);
    });
    const isLast = step === settings.steps;
    const move = moveIn(task.problem, reply, { mayAct: !isLast });
    if (move.kind === 'answer') return { answer: move.answer, ...facts() };
    if (move.kind === 'cut') {
      // It is no step: nothing was thought or done in it.
      if (cutsInARow >= task.reminders) throw truncatedReplyError(task, reply, facts());
      [repairs, cutsInARow] = [repairs + 1, cutsInARow + 1];
      history = [...history, move.said, user(move.feedback)];
      continue;
    }
    if (isLast) break;
    const observation = await observed(task, session, move, settings);
    history = [...history, move.said, user(formatObservation(task, observation, settings.steps - step))];
    [step, cutsInARow] = [step + 1, 0];
  }
  const detail = `${settings.steps} steps were taken, and none of them states an answer.`;
  throw new NoAnswerError('steps', detail, { steps: settings.steps, summaries, repairs });
}

export type Move =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'action'; readonly code: string; readonly said: Message }
  | { readonly kind: 'nothing'; readonly feedback: string; readonly said: Message }
  | { readonly kind: 'cut'; readonly feedback: string; readonly said: Message };

/**
 * An action goes before an answer that stands behind it: the model cannot have seen yet what the action shows. A box in the
 * thought of an action is a guess. Nothing is taken from thoughts in tags, nor from a reply that was cut off.
 */
export function moveIn(
  problem: Problem,
  reply: Pick<Reply, 'text' | 'finish' | 'rawFinish' | 'message'>,
  { mayAct }: { mayAct: boolean },
): Move {
  const { text, message } = reply;
  const said = withoutThoughts(text);
  const block = firstPythonIn(said) ?? findUnfencedCode(said);
  const cut = cutFeedback(reply, block ? programNotRun : undefined);
  if (cut !== null) return { kind: 'cut', feedback: cut, said: message };
  const stated = findStatement(said);
  const isAction =
    block && !(stated !== null && stated < block.start && !isGuess(said.slice(stated, block.start)));
  if (mayAct && isAction) {
    // Observations that it made up are not given back to it.
    const end = text.length - said.length + block.end;
    const turn = text.slice(end).trim() === '' ? message : assistant(text.slice(0, end));
    return { kind: 'action', code: block.code, said: turn };
  }
  if (stated === null) return { kind: 'nothing', feedback: '', said: message };
  const answer = said.slice(stated).replace(/^.*?\bfinish\[(.*)\]/i, 'Final Answer: $1');
  const read = readAnswer(problem, answer);
  return read.ok
    ? { kind: 'answer', answer: read.value }
    : { kind: 'nothing', feedback: read.problem, said: message };
}

/** A program in the forms of other harnesses: `Action Input: …`, a tag, JSON. */
function findUnfencedCode(text: string) {
  const tag = /<(execute|code|python|tool_call|action_input)>/.exec(text);
  const field = /^[*_ \t]*Action Input[*_ \t]*:/m.exec(text);
  const open = tag ?? field ?? /^\s*(?=\{)/.exec(text);
  if (!open) return null;
  const start = open.index + open[0].length;
  const closing = tag
    ? text.indexOf(`</${tag[1]}>`, start)
    : text.slice(start).search(/\n[*_ \t]*(?:Observation|Thought|Final Answer)\b/);
  const end = closing < 0 ? text.length : tag ? closing : start + closing;
  const inside = text.slice(start, end);
  const value = jsonInReply(inside);
  const input = isJsonObject(value)
    ? (value.arguments ?? value.args ?? value.action_input ?? value.code)
    : inside;
  const args = typeof input === 'string' && input.trim().startsWith('{') ? jsonInReply(input) : input;
  const code = isJsonObject(args) ? (args.code ?? args.source) : args;
  const isProgram = typeof code === 'string' && /\bprint\s*\(|^\s*(?:import|from|def|for)\b/m.test(code);
  return isProgram ? { code: code.trim(), start: open.index, end, isClosed: !tag || closing >= 0 } : null;
}

function isGuess(text: string): boolean {
  return /^\\boxed/.test(text) && /^\W*(?:action|aktion|acción|行动|行動)\b/im.test(text);
}

const statements = [
  /^(?:[>*_#-]|[^\S\r\n\u2028\u2029])*(?:action\s*\d*\s*[:=]\s*)?(?:final answer\b[\s*_]*[:=]?|finish\[)/gim,
  // Said in another way: a line that names it.
  /^[>*_#\s-]*(?:(?:final|my|the)\s+)?answer[\s*_]*[:=]|^[>*_#\s-]*(?:\p{L}+\s+)?(?:antwort|réponse|respuesta|resposta|risposta|ответ|cevap|odpowiedź|svar|antwoord|đáp án|उत्तर)(?:\s+\p{L}+)?[\s*_]*:|^\W*(?:最[终終]答案|最終的?な?(?:答え|[回解]答)|答案|答え|回答|解答|최종 답|정답)[\s*_]*[:：]|"final_?answer"\s*:/gimu,
];

/** Where an answer is stated as such: what is merely said last may be half a thought. A question that is made up ends it. */
function findStatement(text: string): number | null {
  const createdCount = /\n[*_#\s]*(?:next )?question\s*\d*\s*[*_]*:/i.exec(text)?.index ?? text.length;
  const own = statements.some((each) => text.slice(0, createdCount).match(each))
    ? text.slice(0, createdCount)
    : text;
  const lineOf = (pattern: RegExp) => [...own.matchAll(pattern)].at(-1)?.index ?? -1;
  const [final = -1, other = -1] = statements.map(lineOf);
  const at = Math.max(final, own.lastIndexOf('\\boxed{'), own.lastIndexOf('<answer>'));
  if (at < 0) return other < 0 ? null : other;
  return at;
}

async function observed(
  { run }: Task,
  session: Session,
  move: Exclude<Move, { readonly kind: 'answer' } | { readonly kind: 'cut' }>,
  settings: ReactSettings,
): Promise<string> {
  if (move.kind === 'nothing') return run.prompt('noMove', { feedback: move.feedback });
  const result = await session.exec(programRequest(move.code, settings));
  return accountText(accountOf(result, settings.outputCharacters));
}

function formatObservation({ run }: Task, observation: string, stepsLeft: number): string {
  const left = stepsLeft === 1 ? run.prompt('lastStep') : run.prompt('stepsLeft', { steps: `${stepsLeft}` });
  return run.prompt('observation', { observation, left });
}

/**
 * What stands for all steps so far: a summary of them, and the last observation as it is. Null where the summariser
 * refuses, fails or is cut off: the steps themselves are still there, and it is not asked a second time.
 */
async function summarizeHistory(task: Task, history: readonly Message[]): Promise<readonly Message[] | null> {
  const turn = user(task.run.prompt('summarise', { history: transcript(history) }));
  try {
    const reply = await requestReply(task, 'summariser', [questionTurn(task), turn]);
    if (isCutOff(reply)) return null;
    const { text } = reply;
    const summary = task.run.prompt('summary', { summary: text.trim() });
    return [user(`${summary}\n\n${transcript(history.slice(-1))}`)];
  } catch (error) {
    if (error instanceof NoAnswerError) return null;
    throw error;
  }
}

/** Whether there is something besides the last step that a summary could make shorter. */
function hasSeveralSteps(history: readonly Message[]): boolean {
  return history.filter(({ role }) => role === 'assistant').length > 1;
}

/** An estimate, the same on every machine: four bytes are a token. */
function tokensIn(history: readonly Message[]): number {
  return Math.ceil(new TextEncoder().encode(transcript(history)).length / 4);
}

function transcript(history: readonly Message[]): string {
  return history.map(wordsOf).join('\n\n');
}

function wordsOf(message: Message): string {
  if (message.role === 'assistant') return textOf(message);
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
