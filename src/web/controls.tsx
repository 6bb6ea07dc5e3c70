/** What screens are made of: a field of choice, buttons of which one holds, and the names of a list's columns. */
import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { asCalled } from '../text/format.ts';

type SelectProps = {
  readonly value: string;
  readonly options: readonly (string | readonly [value: string, words: string])[];
  readonly label?: string;
  /** Before it; `about` says more. */
  readonly head?: string;
  readonly about?: string;
  readonly onPick: (value: string) => void;
};

export function Select({ value, options, label, head, about, onPick }: SelectProps) {
  const id = useId();
  const field = (
    <select id={id} aria-label={label} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
      {options.map((option) => {
        const [own, words] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={own} value={own}>
            {words}
          </option>
        );
      })}
    </select>
  );
  if (head === undefined) return field;
  return (
    <label for={id}>
      <b>{head}</b> <small>{about}</small> {field}
    </label>
  );
}

type ChoicesProps<T> = {
  readonly among: readonly (readonly [words: string, value: T])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
};

export function Choices<T>({ among, chosen, onChoose }: ChoicesProps<T>) {
  return (
    <>
      {among.map(([words, value]) => (
        <button key={words} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {words}
        </button>
      ))}
    </>
  );
}

/** Cut in its middle where there is no room: names that are compared often differ at their ends. */
export function Name({ text }: { readonly text: string }) {
  const end = Math.max(0, text.length - 12);
  return (
    <span class="middle" title={text}>
      <span class="cut">{text.slice(0, end)}</span>
      <span>{text.slice(end)}</span>
    </span>
  );
}

/** `of`: the kind of its lines. A name in brackets is that of numbers. */
export function HeaderCells({
  of = '',
  names,
}: {
  of?: string;
  names: readonly (string | readonly [string])[];
}) {
  return (
    <div class={`line ${of} head`} aria-hidden="true">
      {names.map((name, at) => (
        <span key={String(at)} class={typeof name === 'string' ? '' : 'number'}>
          {name}
        </span>
      ))}
    </div>
  );
}

/** In the place of a screen of which nothing has come, or nothing can come. */
export function EmptyState({ problem }: { readonly problem: string }) {
  return (
    <main class="empty" aria-busy={problem === ''}>
      <p class="bad">{problem}</p>
    </main>
  );
}

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
