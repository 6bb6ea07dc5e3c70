/**
 * A journal as it may be given away: without the puzzle and its input, by their places and wherever they are quoted, and
 * without the gold answer, which only the problem and the words of its grade hold. What a model says in its own words, and
 * what its programs make of it, stays. Pure.
 */
import type { Event, Header } from '../core/event.ts';
import { changeStrings, type Json, type JsonObject } from '../core/json.ts';
import type { Grade } from '../core/problem.ts';
import type { Block, Panel } from '../notes/panel.ts';
import { hashText } from '../run/hash.ts';
import { isObject, list, text } from '../text/json.ts';
import { shortestPiece } from '../text/passages.ts';
import { createRedactor, type HiddenText } from '../text/redaction.ts';
import { findHiddenPaths, textsIn } from './hidden-places.ts';

const leftOut = '[left out: it may hold the puzzle]';
const gradeLeftOut = 'The words of the grade are left out: they may hold the gold answer.';

/** `hidden`: what the app of the run knows besides that may not be passed on. */
export function withoutPuzzle(events: readonly Event[], hidden: readonly string[]): readonly Event[] {
  const texts = [
    ...events.flatMap(puzzleTexts),
    ...hidden.filter((each) => each.trim() !== '').map((each) => ({ name: 'the puzzle', text: each })),
  ];
  const redact = createRedactor(texts, hashText);
  return events.map((event) => changeStrings(redactPaths(event, redact), redact));
}

/** A grid is the task, or what somebody makes of it. */
export function withoutGrids(panel: Panel): Panel {
  return changed(panel, (block) => (block.kind === 'grids' ? null : block));
}

function changed(panel: Panel, change: (block: Block) => Block | null): Panel {
  const within = (blocks: readonly Block[]): readonly Block[] =>
    blocks.flatMap((block) => {
      const now = change(block);
      return now?.kind === 'part' ? { ...now, blocks: within(now.blocks) } : (now ?? []);
    });
  const aside = panel.aside && { aside: within(panel.aside) };
  return { ...panel, blocks: within(panel.blocks), ...aside };
}

/** A shorter word occurs in any text. */
const shortestText = 6;

function puzzleTexts(event: Event): readonly HiddenText[] {
  if (event.kind !== 'run-start' && event.kind !== 'run-fork') return [];
  const { statement, brief, reference, detail } = event.body.problem;
  const parts = statement.map((part) => (part.type === 'text' ? part.text : part.data));
  const own = [...parts, brief.task].filter((each) => each.trim().length >= shortestText);
  const known = [...textsIn(reference), ...textsIn(detail)]
    .map((each) => each.text)
    .filter((each) => each.length >= shortestPiece);
  return [...own, ...known].map((each) => ({ name: 'the puzzle', text: each }));
}

function redactPaths(event: Event, redact: (text: string) => string): Event {
  switch (event.kind) {
    case 'run-start':
    case 'run-fork':
      return { ...event, body: withoutProblem(event.body, redact) };
    case 'run-end':
      return { ...event, body: { ...event.body, grade: event.body.grade && onlyVerdict(event.body.grade) } };
    case 'grade-end':
      return event.body.status === 'ok' && isObject(event.body.result)
        ? {
            ...event,
            body: { ...event.body, result: { ...event.body.result, explanation: gradeLeftOut, data: {} } },
          }
        : event;
    case 'model-request':
      return { ...event, body: { ...event.body, messages: list(event.body, 'messages').map(ownWords) } };
    case 'exec-start':
    case 'evaluate-start':
      return { ...event, body: withoutInput(event.body, findHiddenPaths(event.kind)) };
    default:
      return event;
  }
}

function withoutProblem(header: Header, redact: (text: string) => string): Header {
  const { problem } = header;
  const brief = { task: '', answerFormat: '', criteria: '', environment: problem.brief.environment };
  // The title of a problem that has none is made of its text.
  const isOwn = redact(problem.title) === problem.title && !quotes(problem);
  const title = isOwn ? problem.title : problem.id;
  return { ...header, problem: { ...problem, title, brief, statement: [], reference: {}, detail: {} } };
}

function quotes({ title, statement, brief }: Header['problem']): boolean {
  const start = title.replace(/…$/, '');
  const words = [...statement.map((part) => (part.type === 'text' ? part.text : '')), brief.task];
  return words.some((each) => each.trim().replaceAll(/\s+/g, ' ').startsWith(start));
}

function onlyVerdict({ correct, score }: Grade): Grade {
  return {
    ...(correct === undefined ? {} : { correct }),
    ...(score === undefined ? {} : { score }),
    explanation: gradeLeftOut,
  };
}

function ownWords(message: Json): Json {
  if (text(message, 'role') === 'assistant' || !isObject(message)) return message;
  return { ...message, content: leftOut };
}

function withoutInput(body: JsonObject, positions: readonly (readonly string[])[]): JsonObject {
  const inputs = positions.flatMap(([name = '']) => (Object.hasOwn(body, name) ? [name] : []));
  return {
    ...body,
    ...Object.fromEntries(inputs.map((name) => [name, Array.isArray(body[name]) ? [] : leftOut])),
  };
}
