/** What each agent that comes with Polya writes into a journal as notes, and how it is told. By the name in the header. */
import type { Event, Header } from '../core/event.ts';
import type { EventLine } from '../text/line.ts';
import { describeEnsembleNote } from './ensemble.ts';
import { describeEvolutionNote } from './evolution-line.ts';
import { describeInductionNote } from './induction.ts';
import { countersIn, describeProofNote } from './proof.ts';
import { describeTuningNote } from './tuning.ts';

type NoteEvent = Extract<Event, { kind: 'note' }>;

type AgentNotes = {
  /** Null where the agent knows no such note. */
  line(event: NoteEvent): EventLine | null;
  /** How far the agent says that it is; null where the note does not say. */
  progress?(event: NoteEvent): string | null;
};

const ensemble: AgentNotes = { line: describeEnsembleNote };
const proof: AgentNotes = { line: describeProofNote, progress: countersIn };

const byAgent: Readonly<Record<string, AgentNotes>> = {
  ensemble,
  program: ensemble,
  chain: ensemble,
  react: ensemble,
  evolution: { line: (event) => describeTuningNote(event) ?? describeEvolutionNote(event) },
  'parameter-search': { line: describeTuningNote },
  'induction-graph': { line: describeInductionNote },
  'verify-loop': proof,
  'proof-grader': proof,
};

/** The agent of a journal, by its header: null where it has none yet, or the agent's notes are not known here. */
type Author = Pick<Header, 'agent'> | null;

export function noteLine(event: NoteEvent, author: Author): EventLine | null {
  return notesOf(author)?.line(event) ?? null;
}

export function progressIn(event: Event, author: Author): string | null {
  return (event.kind === 'note' ? notesOf(author)?.progress?.(event) : null) ?? null;
}

function notesOf(author: Author): AgentNotes | undefined {
  return author && Object.hasOwn(byAgent, author.agent.name) ? byAgent[author.agent.name] : undefined;
}
