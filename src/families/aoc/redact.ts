/**
 * Takes a puzzle out of what is given to others: its author asks that statements and inputs are not passed on. Every
 * text that the run got from the site becomes its hash wherever it is quoted as a whole; by the line, the sentence or
 * any other passage it is taken out too, also where a program printed its input. What a model says of it in its own
 * words, and what its programs make of it, stays. Pure.
 */
import { z } from 'zod';
import type { Event } from '../../core/event.ts';
import { changeStrings } from '../../core/json.ts';
import { shortestPiece } from '../../text/passages.ts';
import { createRedactor, type HiddenText } from '../../text/redaction.ts';
import { toolStepsOf } from './tool-steps.ts';

export type Redact = <T>(value: T) => T;

export function createPuzzleRedactor(events: readonly Event[], hashText: (text: string) => string): Redact {
  const redact = createRedactor(puzzleTextsIn(events), hashText);
  return (value) => changeStrings(value, redact);
}

/** The site's own words, as a conversation about them holds them. */
export function siteTextsIn(events: readonly Event[]): readonly string[] {
  return puzzleTextsIn(events)
    .filter(({ name }) => name !== givenInput)
    .map(({ text }) => text);
}

const givenInput = 'an input that the model gave';

function puzzleTextsIn(events: readonly Event[]): HiddenText[] {
  const texts: HiddenText[] = [];
  for (const event of events) {
    if (event.kind === 'run-start' || event.kind === 'run-fork') {
      for (const [index, part] of event.body.problem.statement.entries()) {
        const name = index === 0 ? 'statement of part 1' : 'excerpt of the input';
        if (part.type === 'text') texts.push({ name, text: part.text });
      }
    } else if (event.kind === 'tool-result' && event.body.status === 'ok') {
      texts.push(...openedPart(event.body.result));
    }
  }
  return [...texts, ...toolTexts(events)].filter(({ text }) => text.trim() !== '');
}

const opening = z.object({ advance: z.object({ to: z.string(), statement: z.string() }) });

function openedPart(result: unknown): HiddenText[] {
  const opened = opening.safeParse(result).data;
  return opened ? [{ name: 'statement of part 2', text: opened.advance.statement }] : [];
}

function toolTexts(events: readonly Event[]): HiddenText[] {
  return toolStepsOf(events).flatMap(({ tool, args, end }): HiddenText[] => {
    if (tool === 'RunGeneratedCode') {
      const { inputQuotes = null } = end.status === 'ok' ? end.data : {};
      const input = [args.inputs, args.input].flat().filter((each) => typeof each === 'string');
      return [
        ...input.filter((text) => text.length >= shortestPiece).map((text) => ({ name: givenInput, text })),
        ...(typeof inputQuotes === 'string' ? [{ name: 'lines of the input', text: inputQuotes }] : []),
      ];
    }
    if (end.status !== 'ok' || end.isError) return [];
    if (tool === 'DownloadInput') return [{ name: 'excerpt of the input', text: end.text }];
    const name = `statement of part ${end.data.part === 2 ? 2 : 1}`;
    return tool === 'DownloadProblemStatement' ? [{ name, text: end.text }] : [];
  });
}
