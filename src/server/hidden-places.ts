/**
 * Where an event holds what belongs to the problem and not to a conversation: gold answers, inputs, expected outputs. One
 * truth for what is given away without its puzzle and for what the page marks as not shown to the model. Pure.
 */
import type { Event, EventKind } from '../core/event.ts';
import { type Json, toJson } from '../core/json.ts';
import type { HiddenPlace } from '../notes/page-items.ts';
import { field } from '../text/json.ts';
import { shortestPiece } from '../text/passages.ts';

type Path = readonly string[];

const inputs = ['stdin', 'input', 'inputs', 'files', 'cases', 'expected'];

/** Paths within the body of the event. The values may be missing. */
export function findHiddenPaths(kind: EventKind): readonly Path[] {
  switch (kind) {
    case 'run-start':
    case 'run-fork':
      return [
        ['problem', 'reference'],
        ['problem', 'detail'],
      ];
    case 'grade-end':
      return [['result', 'data']];
    case 'run-end':
      return [['grade', 'data']];
    case 'exec-start':
    case 'evaluate-start':
      return inputs.map((name) => [name]);
    default:
      return [];
  }
}

/** Finds the texts in the places of an event that no model of its run was shown. `events`: its journal. */
export function createHiddenFinder(events: readonly Event[]): (event: Event) => readonly HiddenPlace[] {
  const prompts = events.flatMap(promptsShown);
  let kept: readonly string[] | null = null;
  // A conversation stands in each of its requests again: each text is looked through once.
  const request = (): readonly string[] => {
    kept ??= [...new Set(events.flatMap(answersRequested))];
    return kept;
  };
  const isShown = ({ text }: HiddenPlace): boolean => {
    if (text.length < shortestWord) return false;
    const holds = (words: string): boolean => words.includes(text);
    return prompts.some(holds) || (text.length >= shortestPiece && request().some(holds));
  };
  return (event) => {
    const paths = findHiddenPaths(event.kind);
    const body = paths.length === 0 ? null : toJson(event.body);
    const texts = paths.flatMap((path) => textsIn(path.reduce<Json | undefined>(field, body ?? {}), path));
    return texts.filter((place) => !isShown(place));
  };
}

/** Shorter words occur anywhere, so they prove nothing. */
const shortestWord = 6;

/** What any agent may read of the problem. */
function promptsShown({ kind, body }: Event): readonly string[] {
  if (kind !== 'run-start' && kind !== 'run-fork') return [];
  const { statement, brief } = body.problem;
  return [...statement.map((part) => (part.type === 'text' ? part.text : '')), ...Object.values(brief)];
}

function answersRequested({ kind, body }: Event): readonly string[] {
  return kind === 'model-request' ? textsIn(body.messages).map(({ text }) => text) : [];
}

export function textsIn(value: Json | undefined, path: Path = []): readonly HiddenPlace[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, [...path, name]));
}
