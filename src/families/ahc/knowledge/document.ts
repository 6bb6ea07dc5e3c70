/**
 * What a session leaves to later ones: pieces of code that made a program better than the one they were put into, and what
 * each prompt brought for what it cost. A projection of the journal like every file of a session. Pure.
 */
import { z } from 'zod';
import type { Json, JsonObject } from '../../../core/json.ts';
import { creditOf } from '../session/credit.ts';
import { candidateOf, type SessionCandidate, type SessionState } from '../session/fold.ts';
import type { SessionFacts } from '../session/session-facts.ts';

const piece = z.object({
  /** `night_20261121T170000/gen03_id02`: names it among all that is known. */
  id: z.string(),
  operator: z.string(),
  summary: z.string(),
  /** Of the score of the session's cases, as a positive number; and as a part of the score before. */
  gain: z.number(),
  share: z.number(),
  /** Lines that its parent did not have. */
  code: z.string(),
});

const prompt = z.object({
  /** `change`, or a prompt of the configuration by its place: `mutation_prompts[0]`. */
  name: z.string(),
  /** The user's own words; empty for prompts of the search. */
  words: z.string(),
  made: z.number(),
  evaluated: z.number(),
  betterThanParents: z.number(),
  improvements: z.number(),
  gain: z.number(),
  tokens: z.number().nullable(),
});

export const knowledgeSchema = z.object({
  version: z.literal(1),
  session: z.string(),
  contest: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  scoring: z.enum(['absolute', 'relative']),
  direction: z.enum(['maximise', 'minimise']),
  pieces: z.array(piece),
  prompts: z.array(prompt),
});

export type Knowledge = z.infer<typeof knowledgeSchema>;
export type KnownPiece = z.infer<typeof piece>;
export type KnownPrompt = z.infer<typeof prompt>;

const mostPieces = 20;
const linesKept = 40;

export function knowledgeDocument(state: SessionState, facts: SessionFacts): Knowledge {
  const analysis = isObject(state.analysis) ? state.analysis : {};
  return {
    version: 1,
    session: facts.id,
    contest: facts.contest,
    title: typeof analysis.title === 'string' ? analysis.title : '',
    tags: textsIn(analysis.problem_type_tags),
    scoring: facts.scoring,
    direction: facts.direction,
    pieces: piecesOf(state, facts),
    prompts: promptsOf(state, facts),
  };
}

/** The largest first. Against each parent: two programs that are joined are as good as the better one. */
function piecesOf(state: SessionState, facts: SessionFacts): KnownPiece[] {
  const way = facts.direction === 'maximise' || facts.scoring === 'relative' ? 1 : -1;
  const found = state.candidates.flatMap((candidate): KnownPiece[] => {
    const { id, operator, summary, source, score, parents } = candidate.note;
    const before = parents.flatMap((parent) => candidateOf(state, parent)?.note ?? []);
    const scores = before.flatMap((each) => each.score ?? []);
    if (score === null || scores.length === 0 || scores.length < parents.length) return [];
    const best = Math.max(...scores.map((each) => way * each));
    const gain = way * score - best;
    if (gain <= 0) return [];
    const share = gain / Math.max(1e-9, Math.abs(best));
    const code = newLines(source, before.map((each) => each.source).join('\n'));
    return [{ id: `${facts.id}/${id}`, operator, summary, gain, share, code }];
  });
  return found.toSorted((a, b) => b.gain - a.gain).slice(0, mostPieces);
}

function newLines(source: string, before: string): string {
  const known = new Set(before.split('\n').map((line) => line.trim()));
  const lines = source.split('\n').filter((line) => line.trim() !== '' && !known.has(line.trim()));
  const rest = lines.length - linesKept;
  return [...lines.slice(0, linesKept), ...(rest > 0 ? [`// … and ${rest} more lines`] : [])].join('\n');
}

function promptsOf(state: SessionState, facts: SessionFacts): KnownPrompt[] {
  const nameOf = ({ note }: SessionCandidate): string => String(note.parameters.prompt ?? '');
  const names = [...new Set(state.candidates.map(nameOf))].filter((name) => name !== '').sort();
  return names.map((name) => {
    const credit = creditOf(state, facts, (candidate) => nameOf(candidate) === name);
    const { made, evaluated, betterThanParents, improvements, gain, tokens } = credit;
    const words = wordsOf(name, facts.configuration);
    return { name, words, made, evaluated, betterThanParents, improvements, gain, tokens };
  });
}

function wordsOf(name: string, configuration: JsonObject): string {
  const [, key = '', at = ''] = /^(\w+)\[(\d+)\]$/.exec(name) ?? [];
  return textsIn(configuration[`evolution.${key}`])[Number(at)] ?? '';
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function isObject(value: Json | null): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
