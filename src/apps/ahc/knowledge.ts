/**
 * `knowledge.json` of a session, which later ones read: its changes that made a program better than all it was made from,
 * the largest first, each with its new lines; and its prompts, each with what came of it. Pure.
 */
import { modelsBehind } from '../../core/event.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import {
  itemWorth,
  type Knowledge,
  type KnowledgeItem,
  type KnownPrompt,
} from '../../families/ahc/knowledge/knowledge.ts';
import type { SessionFacts } from './session/context.ts';
import { creditor } from './session/course.ts';
import { candidateOf, type SessionCandidate, type SessionState } from './session/fold.ts';

export function knowledgeDocument(state: SessionState, facts: SessionFacts): Knowledge {
  const analysis = isJsonObject(state.analysis) ? state.analysis : {};
  const models = state.run.header ? Object.values(modelsBehind(state.run.header)) : [];
  return {
    version: 1,
    session: facts.id,
    contest: facts.contest,
    title: typeof analysis.title === 'string' ? analysis.title : '',
    tags: textsIn(analysis.problem_type_tags),
    scoring: facts.scoring,
    direction: facts.direction,
    isScript: models.some(({ kind }) => kind === 'script'),
    pieces: piecesOf(state, facts),
    prompts: promptsOf(state, facts),
  };
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function promptsOf(state: SessionState, facts: SessionFacts): KnownPrompt[] {
  const creditFor = creditor(state, facts);
  const seen = new Map<string, number>();
  return promptsUsed(state).map(({ name, words, candidates }) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    const credit = creditFor((each) => candidates.has(each));
    const { made, evaluated, betterThanParents, improvements, gain, tokens } = credit;
    const id = `${facts.id}/${name}${times > 1 ? `~${times}` : ''}`;
    return { id, name, words, made, evaluated, betterThanParents, improvements, gain, tokens };
  });
}

/** By their names. */
export function promptsUsed({ run, candidates }: SessionState) {
  const own = run.header?.prompts ?? {};
  const used = Map.groupBy(candidates, ({ note }) => keyOf(note));
  used.delete('');
  return [...used]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, created]) => {
      const name = String(created[0]?.note.parameters.prompt ?? '');
      const words = key.slice(name.length + 1) || wordsOf(name, own);
      const candidates: ReadonlySet<SessionCandidate> = new Set(created);
      return { name, words, candidates };
    });
}

/** Empty for candidates without a prompt. */
function keyOf({ parameters: { prompt = '', wording = '' } }: SessionCandidate['note']): string {
  return prompt === '' ? '' : `${prompt}\n${wording}`;
}

/** Two prompts of the search count as one for the question which prompt pays. */
const partsOfRepair = ['repairCompile', 'repairCases'];

function wordsOf(name: string, prompts: Readonly<Record<string, string>>): string {
  const names = name === 'repair' ? partsOfRepair : [name];
  return names.flatMap((each) => prompts[each] ?? []).join('\n\n');
}

const mostPieces = 20;
const [linesKept, charactersKept] = [40, 4_000];

function piecesOf(state: SessionState, facts: SessionFacts): KnowledgeItem[] {
  return gainsOf(state, facts)
    .toSorted((a, b) => itemWorth(b) - itemWorth(a))
    .slice(0, mostPieces)
    .map(({ note: { id, operator, summary, source }, sources, before, after }) => {
      const code = newLines(source, sources.join('\n'));
      return { id: `${facts.id}/${id}`, operator, summary, before, after, code };
    });
}

/** Against each parent: two programs that are joined are as good as the better one. */
function gainsOf(state: SessionState, { direction, scoring }: SessionFacts) {
  const path = direction === 'maximise' || scoring === 'relative' ? 1 : -1;
  return state.candidates.flatMap(({ note }) => {
    const { score: after, parents } = note;
    const known = parents.flatMap((parent) => candidateOf(state, parent)?.note ?? []);
    const scores = known.flatMap(({ score }) => score ?? []);
    if (after === null || scores.length === 0 || scores.length < parents.length) return [];
    const before = path * Math.max(...scores.map((each) => path * each));
    const sources = known.map(({ source }) => source);
    return path * (after - before) > 0 ? [{ note, sources, before, after }] : [];
  });
}

function newLines(source: string, before: string): string {
  const known = new Set(before.split('\n').map((line) => line.trim()));
  const lines = source.split('\n').filter((line) => line.trim() !== '' && !known.has(line.trim()));
  const rest = lines.length - linesKept;
  const kept = lines.slice(0, linesKept).join('\n');
  // A table in one line may be as long as it likes.
  const text = kept.length > charactersKept ? `${kept.slice(0, charactersKept).toWellFormed()}…` : kept;
  return rest > 0 ? `${text}\n// … and ${rest} more lines` : text;
}
