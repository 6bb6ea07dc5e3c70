/** What every provider's file needs, and what the catalogue knows of a provider without loading it. Pure types. */
import type { Model } from '../core/model.ts';
import type { Price } from '../core/usage.ts';
import type { SettingRule } from './settings-rules.ts';

/** How a model of a provider is reached. */
export type Connection = {
  /** As the user wrote it: `openai/gpt-5`. */
  readonly id: string;
  /** The model's name there. */
  readonly name: string;
  /** Missing: where the provider usually is. */
  readonly baseUrl?: string;
  /** Any word for a server without keys. */
  readonly apiKey: string;
  readonly price: Price | null;
  /** False: ask for the whole reply at once. */
  readonly stream?: boolean;
  /** Ends a call with kind `timeout` after so long without a byte. 0 or missing: never. */
  readonly silenceTimeoutMs?: number;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Provider {
  /** What stands before the `/` of a model's name. */
  readonly name: string;
  /** Other words for it, as other tools write them. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** The variables that may hold its key; the first one that is set counts. */
  readonly keys: readonly string[];
  /** Whether it answers without a key. */
  readonly keyIsOptional?: boolean;
  /** The variable that names another base URL. */
  readonly baseUrlVariable: string;
  /** From what the variable holds to a URL; missing: it holds one. */
  readonly readBaseUrl?: (text: string) => string;
  /** Nobody knows where it is but its user. */
  readonly needsBaseUrl?: boolean;
  /** Where it is unless that variable says otherwise, as far as people want to know. */
  readonly baseUrl?: string;
  /** After how many seconds without a byte it is given up: a variable of its own, beside POLYA_SILENCE_SECONDS. */
  readonly silenceVariable?: string;
  /** A server on this machine, by the port it usually has, the route that only it knows, and a field of its answer. */
  readonly local?: { readonly port: number; readonly route: string; readonly sign: string };
  /** Which settings its models take, in a few words for people. */
  readonly settings: string;
  /** Throws where it is known not to have the model. Its file is loaded only now. */
  connect(connection: Connection, env: Environment): Promise<Model>;
  /** What one of its models takes; nothing is called. */
  rules(name: string): Promise<readonly SettingRule[]>;
}
