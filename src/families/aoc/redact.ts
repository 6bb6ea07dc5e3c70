/**
 * Takes a puzzle out of what is given to others: its author asks that statements and inputs are not passed on. Every
 * text that the run got from the site becomes its hash wherever it is quoted as a whole, by the line or by the
 * sentence. What a model says of it in its own words, and what its programs print, stays. Pure.
 */
import { z } from 'zod';
import type { Event } from '../../core/event.ts';
import { changeStrings } from '../../core/json.ts';
import { piecesOf, shortestPiece } from '../../core/pieces.ts';
import { toolStepsOf } from './tool-steps.ts';

type PuzzleText = { readonly name: string; readonly text: string };

export type Redact = <T>(value: T) => T;

export function redactor(events: readonly Event[], hashText: (text: string) => string): Redact {
  const marks = new Map<string, string>();
  for (const { name, text } of puzzleTextsIn(events)) {
    if (!marks.has(text)) marks.set(text, `[${name}, hash ${hashText(text)}]`);
    for (const piece of piecesOf(text)) {
      if (!marks.has(piece)) marks.set(piece, `[words of ${name}]`);
    }
  }
  // A whole text goes before the lines in it.
  const longestFirst = [...marks].sort(([a], [b]) => b.length - a.length);
  const redactText = (text: string): string =>
    longestFirst.reduce((rest, [secret, mark]) => rest.replaceAll(secret, () => mark), text);
  return (value) => changeStrings(value, redactText);
}

/** The site's own words, as a conversation about them holds them. */
export function siteTextsIn(events: readonly Event[]): readonly string[] {
  return puzzleTextsIn(events)
    .filter(({ name }) => name !== givenInput)
    .map(({ text }) => text);
}

const givenInput = 'an input that the model gave';

function puzzleTextsIn(events: readonly Event[]): PuzzleText[] {
  const texts: PuzzleText[] = [];
  for (const event of events) {
    if (event.kind === 'run-start' || event.kind === 'run-fork') {
      for (const part of event.body.problem.statement) {
        if (part.type === 'text') texts.push({ name: 'statement of part 1', text: part.text });
      }
    } else if (event.kind === 'tool-result' && event.body.status === 'ok') {
      texts.push(...openedPart(event.body.result));
    }
  }
  return [...texts, ...toolTexts(events)].filter(({ text }) => text.trim() !== '');
}

const opening = z.object({ advance: z.object({ to: z.string(), statement: z.string() }) });

function openedPart(result: unknown): PuzzleText[] {
  const opened = opening.safeParse(result).data;
  return opened ? [{ name: 'statement of part 2', text: opened.advance.statement }] : [];
}

function toolTexts(events: readonly Event[]): PuzzleText[] {
  return toolStepsOf(events).flatMap(({ tool, args, end }): PuzzleText[] => {
    const { input } = args;
    if (tool === 'RunGeneratedCode' && typeof input === 'string' && input.length >= shortestPiece) {
      return [{ name: givenInput, text: input }];
    }
    if (end.status !== 'ok' || end.isError) return [];
    if (tool === 'DownloadInput') return [{ name: 'excerpt of the input', text: end.text }];
    const name = `statement of part ${end.data.part === 2 ? 2 : 1}`;
    return tool === 'DownloadProblemStatement' ? [{ name, text: end.text }] : [];
  });
}
