/**
 * Program-aided answering: the model writes a Python program, the sandbox runs it, and the last line that it prints is
 * the answer. What does not run, prints nothing, or ends in something that is no answer goes back to be repaired.
 */
import { z } from 'zod';
import type { ProgramResult } from '../../core/agent.ts';
import { cutFeedback } from '../../core/cut-off.ts';
import { defineAgent } from '../../core/define.ts';
import type { Message } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import type { CapturedOutput, StepResult } from '../../core/sandbox.ts';
import { pythonIn } from '../../text/code-blocks.ts';
import { readAnswer, user } from '../kit/asking.ts';
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
import { programPrompts } from './prompts.ts';
import { callSettings, programRequest, programSettings, typicalCalls } from './settings.ts';

const settingsSchema = z.object({ ...callSettings, ...programSettings });
type ProgramSettings = z.infer<z.ZodObject<typeof programSettings>>;

export const programAgent = defineAgent({
  name: 'program',
  settings: settingsSchema,
  needs: ['parse'],
  roles: ['solver'],
  usual: () => typicalCalls(['program']),
  demands: () => ({ languages: ['python'] }),
  prompts: programPrompts,

  solve(problem, run, settings) {
    return runSingleStrategy('program', { problem, run, settings }, (task) => program(task, settings));
  },
});

export async function program(task: Task, settings: ProgramSettings): Promise<Found> {
  const messages: Message[] = [systemTurn(task, 'program'), questionTurn(task)];
  for (let repairs = 0; ; repairs += 1) {
    const reply = await withFacts(
      () => ({ repairs }),
      () => requestReply(task, 'solver', messages),
    );
    const tried = await attempt(task, reply, settings);
    if (tried.answer) return { answer: tried.answer, repairs };
    const { trouble, code, isCut = false } = tried;
    if (repairs === settings.repairs)
      throw isCut
        ? truncatedReplyError(task, reply, { repairs })
        : new NoAnswerError('program', trouble, { repairs });
    messages.push(reply.message, user(isCut ? trouble : task.run.prompt('repair', { error: trouble, code })));
  }
}

export const programNotRun = 'the program was not run';

type Attempt =
  | { readonly answer: Answer }
  /** `isCut`: its reply was cut off, and `trouble` says all that there is to be said. */
  | { readonly answer: null; readonly trouble: string; readonly code: string; readonly isCut?: true };

async function attempt({ run, problem }: Task, reply: Reply, settings: ProgramSettings): Promise<Attempt> {
  const block = pythonIn(reply.text);
  const code = block?.code ?? 'There is none.';
  const failed = (error: string) => ({ answer: null, trouble: error, code });
  // What was cut off in its middle may run all the same, and print something else.
  const cut = cutFeedback(reply, block ? programNotRun : undefined);
  if (cut !== null) return { ...failed(cut), isCut: true };
  if (!block) return failed('The reply holds no Python program in a fenced block.');

  const result = await run.exec(programRequest(block.code, settings));
  const account = accountOf(result, settings.outputCharacters);
  if (account.trouble !== null) return failed(accountText(account));
  const line = lastLine(result.run?.stdout.text ?? '');
  const failedAs = (why: string) => failed(`${why}\n${accountText(account)}`);
  if (line === '') return failedAs('The program printed nothing, so there is no answer.');
  if (isErrorLine(line))
    return failedAs('The last line that was printed tells of a failure, and is no answer.');
  const read = readPrinted(problem, line);
  if (read.ok) return { answer: read.value };
  return failedAs(`The last line that was printed cannot be read as an answer. ${read.problem}`);
}

/** A bare line is the answer as a whole. In a line that is a sentence, the answer is looked for. */
function readPrinted(problem: Problem, line: string): ReturnType<typeof readAnswer> {
  const isSentence = /\\boxed|^[^\d=]*\p{L}\s*[:：]|\p{L}{2,}\s+\p{L}{2,}/u;
  const boxed = `\\boxed{${line}}`;
  const stated = [line, `Final Answer: ${line}`];
  const texts = isSentence.test(line.replaceAll(/\b(?:and|or)\b/g, ','))
    ? [...stated, boxed]
    : [boxed, ...stated];
  const paths = texts.map((text) => readAnswer(problem, text));
  return paths.find(({ ok }) => ok) ?? paths[0] ?? readAnswer(problem, line);
}

/** The last line of a program's output that is not blank. */
export function lastLine(stdout: string): string {
  const lines = stdout.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? '';
}

/**
 * A program that catches its own failure, prints it and ends well has still not answered. "Cannot be determined" and "No
 * solution" may be answers; `None` and `nan` are what Python prints where a function has returned nothing.
 */
export function isErrorLine(line: string): boolean {
  return (
    /^(?:None|nan)$/.test(line) ||
    /^(?:an? |the )?(?:\w*(?:error|exception)|traceback)\b(?:$|\s*[:(!]| (?:occurred|while|in)\b)/i.test(
      line,
    ) ||
    /^(?:i |it )?(?:failed to|(?:was |am )?unable to|could not|couldn't)\b/i.test(line)
  );
}

/** `trouble`: null where it ended as it should. */
type Account = { readonly trouble: string | null; readonly stdout: string; readonly stderr: string };

export function accountOf(
  { compile, run }: Pick<ProgramResult, 'compile' | 'run'>,
  visibleCount: number,
): Account {
  const step = run ?? compile;
  if (!step) return { trouble: 'it was not run', stdout: '', stderr: '' };
  const error = run ? describeProgramError(run) : 'it did not compile';
  return {
    trouble: error,
    stdout: excerpt(step.stdout, visibleCount),
    stderr: excerpt(step.stderr, visibleCount),
  };
}

/** In sections, the empty ones left out. */
export function accountText({ trouble, stdout, stderr }: Account): string {
  const parts = [
    trouble === null ? '' : `The program failed: ${trouble}.`,
    stdout === '' ? '' : `stdout:\n${stdout}`,
    stderr === '' ? '' : `stderr:\n${stderr}`,
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join('\n') : 'The program ended well and printed nothing.';
}

const troubles = {
  memory: 'it took more memory than it may have',
  processes: 'it started more processes than it may have',
  disk: 'it wrote more than it may',
  output: 'it printed far more than it may',
  cancelled: 'it was broken off',
} as const;

function describeProgramError({ verdict, exitCode, signal, wallMs }: StepResult): string | null {
  switch (verdict) {
    case 'ok':
      return null;
    case 'exit':
      return `it ended with status ${exitCode ?? '?'}`;
    case 'signal':
      return `it was ended by ${signal ?? 'a signal'}`;
    case 'wall':
    case 'cpu':
      return `it took too long and was ended after ${(wallMs / 1000).toFixed(1)} s`;
    default:
      return troubles[verdict];
  }
}

function excerpt({ text }: CapturedOutput, visibleCount: number): string {
  const said = text.trimEnd();
  if (said.length <= visibleCount) return said;
  const half = Math.floor(visibleCount / 2);
  const cut = said.length - 2 * half;
  return `${said.slice(0, half).toWellFormed()}\n[… ${cut} characters left out …]\n${said.slice(-half).toWellFormed()}`;
}
