/**
 * What its user sees before the search goes on with it: taken as it is, edited, or rejected, with a reason or without.
 * Without `confirm` nobody is asked. The question and the reply are texts of the run's mailbox; what stands in them, this
 * file alone knows.
 */
import type { Run } from '../../core/agent.ts';
import { isJsonObject, type Json } from '../../core/json.ts';

/** In the order in which they are asked. */
export const confirmations = ['analysis', 'strategies', 'first-program', 'start'] as const;
export type Confirmation = (typeof confirmations)[number];

export type Confirming<T extends Json> = {
  readonly run: Run;
  readonly isAsked: boolean;
  readonly what: Confirmation;
  readonly value: T;
  /** An edited value, or the reason why it is none. */
  readonly read: (edited: Json) => { readonly value: T } | { readonly trouble: string };
};

/** `reason` is empty where none was given. */
export type Confirmed<T> =
  | { readonly isTaken: true; readonly value: T; readonly isEdited: boolean }
  | { readonly isTaken: false; readonly reason: string };

/** A reply that is none of these is told so, and asked for again. */
export async function confirmed<T extends Json>({
  run,
  isAsked,
  what,
  value,
  read,
}: Confirming<T>): Promise<Confirmed<T>> {
  if (!isAsked) return { isTaken: true, value, isEdited: false };
  for (let trouble: string | undefined; ; ) {
    const reply = (
      await run.ask(JSON.stringify({ confirm: what, value, ...(trouble ? { trouble } : {}) }))
    ).trim();
    if (/^(?:y|yes|ok|)$/i.test(reply)) return { isTaken: true, value, isEdited: false };
    const reason = reasonIn(reply);
    if (reason !== null) return { isTaken: false, reason };
    const edited = jsonOf(reply);
    const found = edited === undefined ? { trouble: howToReply } : read(edited);
    if ('value' in found) return { isTaken: true, value: found.value, isEdited: true };
    trouble = found.trouble;
  }
}

const howToReply =
  'Reply with yes, with no, with "no: " and the reason, or with the JSON of what it is to be instead.';

/** Null where nothing is rejected; `no`, `no: too slow`, `{"reject": "too slow"}`. */
function reasonIn(reply: string): string | null {
  const said = /^(?:n|no|reject)(?:\s*[:,]\s*(?<reason>[\s\S]*))?$/i.exec(reply);
  if (said) return said.groups?.reason?.trim() ?? '';
  const object = jsonOf(reply);
  return isJsonObject(object) && typeof object.reject === 'string' ? object.reject.trim() : null;
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
