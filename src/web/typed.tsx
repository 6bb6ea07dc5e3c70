/** Commands on the page as this user has to type them: one rule, whoever wrote them down. */
import { signal } from '@preact/signals';
import { asCalled } from '../text/format.ts';

/** How Polya is called here; in a copy, and until the server has told, it has its plain name. */
export const calledAs = signal('polya');

/** A command that begins with `polya`, or a text with such commands in backticks. */
export function typed(words: string): string {
  const caller = { calledAs: calledAs.value };
  return asCalled(
    words.replace(/^polya(?= )/, () => caller.calledAs),
    caller,
  );
}

export function Command({ children }: { readonly children: string }) {
  return <code>{typed(children)}</code>;
}
