/** Fields of a form, made from what agents and families say of their settings; and what is typed there as JSON. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Json } from '../core/json.ts';

export type Field = {
  readonly name: string;
  /** In the place of its name. */
  readonly label?: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: Json;
  readonly description: string;
};

export type Part = {
  readonly name: string;
  readonly settings: readonly Field[];
  readonly roles: readonly string[];
};
export type Parts = {
  readonly agents: readonly Part[];
  readonly families: readonly {
    readonly name: string;
    /** One list for each form in which a problem can be named. */
    readonly problem: readonly (readonly Field[])[];
    readonly fits: Readonly<Record<string, 'all' | 'some' | 'unknown' | 'none'>>;
  }[];
};

/** What was typed, by name; what was not touched is not there. */
export type Typed = Readonly<Record<string, string>>;

type FieldsProps = {
  readonly fields: readonly Field[];
  readonly typed: Typed;
  /** What holds where nothing is typed. */
  readonly usual?: Readonly<Record<string, Json>>;
  readonly onType: (typed: Typed) => void;
};

export function Fields({ fields, typed, usual = {}, onType }: FieldsProps) {
  return (
    <div class="fields">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          before={formatFieldValue(usual[field.name] ?? field.default)}
          onType={(words) => {
            const { [field.name]: _before, ...others } = typed;
            onType(words === '' ? others : { ...others, [field.name]: words });
          }}
        />
      ))}
    </div>
  );
}

type FoldProps = { readonly title: string; readonly count?: number; readonly children: ComponentChildren };

/** What it holds is there only while it is open: Chromium leaves out of sight what changes in a closed one. */
export function Fold({ title, count = 0, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <small>{count || ''}</small>
      </summary>
      {isOpen && children}
    </details>
  );
}

type OneFieldProps = {
  readonly field: Field;
  readonly value: string;
  readonly before: string;
  readonly onType: (words: string) => void;
};

function OneField({ field, value, before, onType }: OneFieldProps) {
  const { name, label = name, type, required, description } = field;
  const id = useId();
  const common = {
    id,
    value,
    required,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onType(event.currentTarget.value),
  };
  const choices = choicesOf(type);
  return (
    <div class={required && type === 'text' ? 'wide' : ''}>
      <label for={id}>
        <b>{label}</b>
        {required && <i class="bad"> needed</i>} <small>{type}</small>
      </label>
      {choices ? (
        <select {...common}>
          <option value="">{before === '' ? 'not set' : `${before} (as it is)`}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : required && type === 'text' ? (
        <textarea {...common} rows={2} placeholder={before} />
      ) : (
        <input {...common} placeholder={before} />
      )}
      {description !== '' && <small>{description}</small>}
    </div>
  );
}

function choicesOf(type: string): readonly string[] | null {
  if (type === 'true or false') return ['true', 'false'];
  const words = type.split(' | ');
  const isName = (word: string) =>
    /^[\w.-]+$/.test(word) && !['text', 'number', 'list', 'object'].includes(word);
  return words.length > 1 && words.every(isName) ? words : null;
}

function formatFieldValue(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What takes texts is given them as they are; all else is JSON, or bare words. */
export function valuesOf(fields: readonly Field[], typed: Typed): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(typed).map(([name, words]) => {
      const type = fields.find((field) => field.name === name)?.type ?? '';
      return [name, type.split(' | ').includes('text') ? words : jsonOr(words)];
    }),
  );
}

function jsonOr(words: string): Json {
  try {
    return JSON.parse(words);
  } catch {
    return words;
  }
}

export const limitFields: readonly Field[] = [
  limit('costUsd', 'budget in dollars', 'It ends before more is spent.'),
  limit('tokens', 'tokens', 'It ends before more are used.'),
  limit('toolCalls', 'tool calls', 'It ends after so many.'),
  limit('minutes', 'minutes', 'It ends after this time.'),
];

function limit(name: string, label: string, description: string): Field {
  return { name, label, type: '', required: false, default: null, description };
}

/** `effort=high`, one a line, as `--setting` takes it. */
export function parseAssignments(words: string): Record<string, string> {
  return Object.fromEntries(
    words.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      if (line.trim() === '') return [];
      return [at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );
}
