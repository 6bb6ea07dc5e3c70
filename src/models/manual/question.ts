/** What every way of asking a person has in common. */
import type { ModelCall, ModelRequest } from '../../core/model.ts';
import type { PersonAnswer } from './answer.ts';

export type Question = { readonly request: ModelRequest; readonly call: ModelCall };

/** Puts a question to a person and resolves to a checked answer; rejects where the signal aborts. */
export type Ask = (question: Question) => Promise<PersonAnswer>;
