/**
 * What its user sees before the search goes on with it: taken as it is, edited, or rejected. Without `confirm` nobody is
 * asked. The question and the reply are texts of the run's mailbox; what stands in them, this file alone knows.
 */
import type { Run } from '../../core/agent.ts';
import type { Json } from '../../core/json.ts';

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

/** Null where it was rejected. A reply that is none of these is told so, and asked for again. */
export async function confirmed<T extends Json>({
  run,
  isAsked,
  what,
  value,
  read,
}: Confirming<T>): Promise<T | null> {
  if (!isAsked) return value;
  for (let trouble: string | undefined; ; ) {
    const reply = (
      await run.ask(JSON.stringify({ confirm: what, value, ...(trouble ? { trouble } : {}) }))
    ).trim();
    if (/^(?:y|yes|ok|)$/i.test(reply)) return value;
    if (/^(?:n|no|reject)$/i.test(reply)) return null;
    const edited = jsonOf(reply);
    const found = edited === undefined ? { trouble: howToReply } : read(edited);
    if ('value' in found) return found.value;
    trouble = found.trouble;
  }
}

const howToReply = 'Reply with yes, with no, or with the JSON of what it is to be instead.';

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
