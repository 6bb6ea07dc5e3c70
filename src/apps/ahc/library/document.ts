/**
 * What a session leaves to later ones: pieces of code that made a program better than the one they were put into, and what
 * each prompt brought for what it cost. A projection of the journal like every file of a session. Pure.
 */
import { modelsBehind } from '../../../core/event.ts';
import { isJsonObject, type Json } from '../../../core/json.ts';
import type { Knowledge } from '../../../families/ahc/knowledge/known.ts';
import { piecesOf } from '../../../families/ahc/knowledge/pieces.ts';
import type { SessionState } from '../../../families/ahc/session/fold.ts';
import type { SessionFacts } from '../../../families/ahc/session/session-facts.ts';
import { promptsOf } from './prompts.ts';

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
    pieces: [...piecesOf(state, facts)],
    prompts: [...promptsOf(state, facts)],
  };
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
