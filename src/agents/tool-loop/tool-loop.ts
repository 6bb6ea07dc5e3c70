/**
 * The plain agentic loop: the model calls tools until the problem's last stage is done; of a problem without stages, a reply
 * without a call is its answer, and goes back if a check fails it. It keeps one growing conversation and reminds a model that
 * only talks. What may stand beside it, a plan or lessons, is in `patterns.ts`.
 */
import { z } from 'zod';
import type { Run, Solution } from '../../core/agent.ts';
import { cutFeedback, cutPlace, describeModelRefusal, requireReply } from '../../core/cut-off.ts';
import { defineAgent } from '../../core/define.ts';
import { type Message, type ToolDefinition, textOf } from '../../core/model.ts';
import type { Problem, StageAdvance } from '../../core/problem.ts';
import { describeStop, type MissedCall } from '../../notes/tool-loop.ts';
import { count } from '../../text/format.ts';
import { describeCutReply, modelSettings, noAnswerPrompt, user } from '../kit/asking.ts';
import { Answers } from './answers.ts';
import { callInText, callsOnWire, definitionsOf, describeTools, isCallInWords } from './calls.ts';
import { appendText } from './helper.ts';
import { Patterns, usualHelperCalls } from './patterns.ts';
import { planPrompts } from './plan.ts';
import { reflectPrompts } from './reflect.ts';
import { repairPrompts } from './repair.ts';
import { simplifyPrompts } from './simplify.ts';

const toolLoopPrompts = {
  system: `{{task}}

{{answerFormat}}

{{criteria}}

{{environment}}

You have {{toolCalls}} tool calls in all, failed ones included, and nobody to ask. Only tool calls have an effect; nobody reads what you merely say. When a result is wrong, find out why instead of guessing again.`,

  answering: `{{task}}

{{answerFormat}}

{{criteria}}

{{environment}}

You have {{toolCalls}} tool calls in all, failed ones included, and nobody to ask. Work the answer out and check it with them where they help. A reply without a tool call is taken as your answer.`,

  noAnswer: noAnswerPrompt,

  notAccepted: `Your answer was checked and not accepted:

{{feedback}}

Find out why, then answer again.`,

  begin: `The problem is "{{title}}". Begin by fetching its statement.`,

  reminder: `You called no tool. The problem is not solved yet, and only tool calls count. Go on with a tool call.`,

  callsLeft: `[Left: {{left}}. Hand in your best answer before they are used up.]`,

  textCalls: `You call a tool in your text: one JSON object in one fenced block, and nothing behind it. One call a reply; its result comes with the next message. The form:

\`\`\`json
{"tool": "NAME", "arguments": {…}}
\`\`\`

Line breaks within a string are written \\n. The tools:

{{tools}}`,

  textResult: `Result of {{name}}:

{{result}}`,

  noTextCall: `Your reply holds no tool call. The problem is not solved yet, and only tool calls count. Go on with one call: {"tool": "NAME", "arguments": {…}} in one fenced block.`,

  severalTextCalls: `Your reply holds more than one tool call, and none was carried out. Send one call a reply.`,

  brokenTextCall: `The tool call in your reply was not carried out, because it cannot be read: {{why}}. Send it again as one JSON object, {"tool": "NAME", "arguments": {…}}, in one fenced block.`,

  block: `[Your reply holds no call, but a block of code: it was run by {{name}}, which got nothing else from you.]`,

  duplicates: `[The same call stood in your reply more than once; it was carried out once.]`,

  cutCall: `This call was not carried out, because your reply was cut off in the middle of its calls, {{place}}. Send it again, complete and shorter.`,

  unreadStage: `This call was not carried out, because a call before it solved a part of the problem and you had not read the next part. Read it, then call again.`,

  hint: `A note from the person who watches this run: {{hint}}`,

  solvedBefore: `[What stands above is solved. What follows is the part that is open now.]`,

  ...simplifyPrompts,
  ...planPrompts,
  ...reflectPrompts,
  ...repairPrompts,
};

const settingsSchema = z.object({
  reminders: z
    .int()
    .min(0)
    .max(20)
    .default(2)
    .describe(
      'How many replies in a row without a call that can be carried out are answered by a reminder; the next one ends the run as `stopped`.',
    ),
  statement: z
    .enum(['from-tools', 'given'])
    .default('given')
    .describe(
      "`given`: the first message holds the statement, and what else is known of the problem. `from-tools`: the model fetches it with the problem's tools.",
    ),
  callsLeftTold: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe('When this many calls or fewer are left, results of tools say how many. 0: never.'),
  calls: z
    .enum(['wire', 'text'])
    .default('wire')
    .describe(
      '`wire`: the model calls tools as its provider offers it. `text`: no tools are sent; the model writes calls into its text, for servers without a parser for tool calls.',
    ),
  answers: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe('Where a check says whether an answer is accepted: how many answers are checked.'),
  simplify: z
    .boolean()
    .default(false)
    .describe('One call restates the statement of each stage before the loop; the original stays.'),
  plan: z
    .boolean()
    .default(false)
    .describe('A plan is made for each stage, kept beside the conversation, and revised after failures.'),
  reflect: z
    .enum(['never', 'after-1', 'after-2', 'after-3', 'after-5'])
    .default('never')
    .describe(
      'After a failed answer, or so many failed programs, one call says why; the conversation goes on from the beginning of its stage with this lesson.',
    ),
  repair: z
    .boolean()
    .default(false)
    .describe(
      'A failed program is corrected once by a repairer, which sees its error and the smallest input that shows it.',
    ),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  reasoningEffort: z.enum(['low', 'medium', 'high']).optional(),
});

/** What a day of average difficulty took. */
const loopTurns = 12;

export const toolLoop = defineAgent({
  name: 'tool-loop',
  settings: settingsSchema,
  needsOneOf: ['tools', 'check'],
  roles: ['solver'],
  usualTurns: (settings) => loopTurns + usualHelperCalls(settings),
  prompts: toolLoopPrompts,
  demands: ({ calls }) => (calls === 'text' ? { tools: false } : {}),

  solve(problem, run, settings) {
    const answers = new Answers(problem, settings.answers);
    return answers.orLast(() => converse({ problem, run, settings, answers }));
  },
});

type Conversation = {
  readonly problem: Problem;
  readonly run: Run;
  readonly settings: z.infer<typeof settingsSchema>;
  readonly answers: Answers;
};

async function converse({ problem, run, settings, answers }: Conversation): Promise<Solution> {
  const { tools: offered = [] } = problem;
  const tools = definitionsOf(offered);
  const hasStages = problem.spec.stages.length > 0;
  const isInText = settings.calls === 'text';
  let messages: Message[] = [
    { role: 'system', content: systemPrompt(problem, run, isInText ? tools : []) },
    settings.statement === 'given' || !hasStages
      ? { role: 'user', content: problem.spec.statement }
      : user(run.prompt('begin', { title: problem.spec.title })),
  ];
  const used = { modelCalls: 0, toolCalls: 0 };
  const work = { run, problem, settings: modelSettings(settings), used };
  const patterns = new Patterns(work, settings);
  messages = appendText(messages, await patterns.beginStage(problem.spec.statement));
  /** What stands before the first reply of the stage; hints since then stay as well when a lesson is learned. */
  let opening = messages.length;
  let hints: Message[] = [];
  let results: number[] = [];
  let [hasShortened, isWritten] = [false, false];
  /** The last replies, one after the other, that held no call that could be carried out. */
  let misses: MissedCall[] = [];

  const beginAgain = () => {
    messages = [...messages.slice(0, opening), ...hints];
    results = results.filter((at) => at < opening);
  };
  for (;;) {
    for (const hint of await run.inbox()) {
      const message = user(run.prompt('hint', { hint }));
      hints.push(message);
      messages.push(message);
    }
    const visible = patterns.beside(messages);
    const request = {
      messages: visible,
      ...(isInText || tools.length === 0 ? {} : { tools }),
      settings: work.settings,
    };
    const received = await run.generate('solver', request);
    if (!received.ok && received.error.kind === 'context-overflow' && !hasShortened) {
      hasShortened = true;
      const { messages: shorter, ...omitted } = shortenOldResults(messages, results);
      run.note('shortened', omitted);
      if (omitted.results > 0) {
        messages = [...shorter];
        continue;
      }
    }
    const place = received.ok ? cutPlace(received) : null;
    const reply = received.ok && place !== null ? received : requireReply(received);
    used.modelCalls += 1;
    messages.push(reply.message);
    if (reply.finish === 'refusal') return { end: 'refused', detail: describeModelRefusal(reply) };

    const found = isInText ? callInText(reply, offered) : callsOnWire(reply, offered);
    const answer =
      found.miss?.reason === 'none' && place === null && !hasStages
        ? await answers.receive(run, reply)
        : undefined;
    if (answer?.type === 'end') return answer.solution;
    if (answer?.type === 'failed') {
      misses = [];
      patterns.addFailedAnswer(textOf(reply.message), answer.feedback);
      messages.push(user(run.prompt('notAccepted', { feedback: answer.feedback })));
      if (await patterns.afterReply()) beginAgain();
      continue;
    }
    if (found.calls === null || place !== null) {
      misses.push({
        reason: place === null ? (found.miss?.reason ?? 'none') : 'cut',
        why: answer?.feedback ?? found.miss?.why,
      });
      const isPatient = misses.length <= maxMisses(settings, found.calls !== null);
      if (!isPatient && place !== null) return { end: 'malformed', detail: describeCutReply({}, reply) };
      isWritten ||= found.calls === null && !isInText && isCallInWords(reply, offered);
      if (!isPatient) return { end: 'stopped', detail: describeStop(misses, isWritten) };
    }
    if (found.calls === null) {
      run.note('reminder', {
        number: misses.length,
        ...misses.at(-1),
        ...(isWritten ? { isWritten } : {}),
      });
      messages.push(
        user(
          cutFeedback(reply) ??
            reminderText({ problem, run }, found.miss, { isInText, feedback: answer?.feedback }),
        ),
      );
      continue;
    }

    let advance: StageAdvance | undefined;
    for (const { id, name, tool, args, isBlock } of found.calls) {
      const refusal =
        place !== null ? run.prompt('cutCall', { place }) : advance && run.prompt('unreadStage');
      used.toolCalls += 1;
      const result = await patterns.afterCall(tool, args, await run.tool(tool, args, refusal));
      if (result.data?.rejected !== true) misses = [];
      // In front: a program's output ends a result, and scripts take it from there.
      const remarks = [
        isBlock ? `${run.prompt('block', { name })}\n\n` : '',
        found.duplicates ? `${run.prompt('duplicates')}\n\n` : '',
      ].join('');
      const content = remarks + callsLeft(run, used, settings.callsLeftTold) + result.text;
      const isError = result.isError || undefined;
      results.push(messages.length);
      if (id !== null) messages.push({ role: 'tool', callId: id, name, content, isError });
      else messages.push(textResult(run, { name, result: content }, result.advance));
      advance = result.advance ?? advance;
      if (advance?.to === null) return { end: 'answered', detail: 'All parts are answered.' };
    }
    if (advance && !isInText) messages.push({ role: 'user', content: advance.statement });
    if (advance) {
      const added = await patterns.beginStage([{ type: 'text', text: advance.statement }]);
      messages = appendText(messages, added);
      opening = messages.length;
      hints = [];
    } else if (await patterns.afterReply()) beginAgain();
  }
}

/** A cut reply that calls tools is answered at least once. */
function maxMisses({ reminders }: { readonly reminders: number }, hasCalls: boolean): number {
  return hasCalls ? Math.max(1, reminders) : reminders;
}

function reminderText(
  { problem, run }: Pick<Conversation, 'problem' | 'run'>,
  { reason, why = '' }: MissedCall,
  { isInText, feedback }: { readonly isInText: boolean; readonly feedback: string | undefined },
): string {
  const { answerFormat } = problem.spec.brief;
  if (feedback !== undefined) return run.prompt('noAnswer', { feedback, answerFormat });
  if (!isInText) return run.prompt('reminder');
  if (reason === 'broken') return run.prompt('brokenTextCall', { why });
  return run.prompt(reason === 'several' ? 'severalTextCalls' : 'noTextCall');
}

/** The statement of the next stage stands in the same message: some servers take no two in a row of one role. */
function textResult(
  run: Run,
  places: { readonly name: string; readonly result: string },
  advance: StageAdvance | undefined,
): Message {
  const text = run.prompt('textResult', places);
  return user(advance ? `${text}\n\n${advance.statement}` : text);
}

/** `inText`: the tools that are described in words. */
function systemPrompt(problem: Problem, run: Run, inText: readonly ToolDefinition[]): string {
  const { toolCalls, modelCalls } = run.limits;
  const calls = modelCalls === undefined ? '' : `${count(modelCalls, 'model call')} and `;
  const system = run.prompt(problem.spec.stages.length > 0 ? 'system' : 'answering', {
    ...problem.spec.brief,
    toolCalls: calls + (toolCalls === undefined ? 'as many as you need' : `${toolCalls}`),
  });
  if (inText.length === 0) return system;
  return `${system}\n\n${run.prompt('textCalls', { tools: describeTools(inText) })}`;
}

type Used = Readonly<Record<'toolCalls' | 'modelCalls', number>>;

/** A sentence with the number of calls left; empty while it is above `told`. */
function callsLeft(run: Run, used: Used, told: number): string {
  const few = (
    [
      ['toolCalls', 'tool call'],
      ['modelCalls', 'model call'],
    ] as const
  ).flatMap(([limit, noun]) => {
    const left = (run.limits[limit] ?? Number.POSITIVE_INFINITY) - used[limit];
    return told > 0 && left <= told ? [count(left, noun)] : [];
  });
  return few.length === 0 ? '' : `${run.prompt('callsLeft', { left: few.join(', ') })}\n\n`;
}

const newestKept = 3;
const [headCharacters, tailCharacters] = [600, 600];
/** A result that is not much longer than what would remain stays as it is. */
const longestKept = 2_000;

type ShortenedConversation = {
  readonly messages: readonly Message[];
  /** How many results lost their middle, and how many characters that were. */
  readonly results: number;
  readonly characters: number;
};

/** `results`: where results stand among the messages, the oldest first. */
export function shortenOldResults(
  messages: readonly Message[],
  results: readonly number[],
): ShortenedConversation {
  const kept = results.length > newestKept ? newestKept : 1;
  const old = new Set(results.slice(0, Math.max(0, results.length - kept)));
  let [count, characters] = [0, 0];
  const shorter = (text: string): string => {
    if (text.length <= longestKept) return text;
    const omitted = text.length - headCharacters - tailCharacters;
    count += 1;
    characters += omitted;
    const head = text.slice(0, headCharacters).toWellFormed();
    return `${head}\n[… ${omitted} characters of this old result are left out …]\n${text.slice(-tailCharacters).toWellFormed()}`;
  };
  const shortened = messages.map((message, index): Message => {
    if (!old.has(index)) return message;
    if (message.role === 'tool') return { ...message, content: shorter(message.content) };
    const isText = message.role === 'user' && typeof message.content === 'string';
    return isText ? { ...message, content: shorter(message.content) } : message;
  });
  return { messages: shortened, results: count, characters };
}
