/** Writes a note of a proof in the shape that its readers expect (core/proof-notes.ts). */
import type { Run } from '../../core/agent.ts';
import type { ProofNoteData, ProofNoteKind } from '../../notes/proof.ts';

export function note<Kind extends ProofNoteKind>(run: Run, kind: Kind, data: ProofNoteData<Kind>): void {
  run.note(kind, data);
}
