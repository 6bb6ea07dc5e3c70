/** What may be chosen when journals are opened, and what is then in hand. */
import type { Agent } from '../core/agent.ts';
import type { Clock } from '../core/io.ts';
import type { Model } from '../core/model.ts';
import type { Family } from '../core/problem.ts';
import type { Sandbox } from '../core/sandbox.ts';
import type { Environment } from '../io/home.ts';
import type { ManualOptions } from '../models/manual/manual.ts';
import type { Runtime } from '../run/world.ts';
import type { FamilyOptions } from './families.ts';
import type { StorePlace } from './store.ts';
import type { AddressOptions } from './trust/addresses.ts';
import type { UserCode, UserCodeOptions } from './user-code/code.ts';

export type JournalsOptions = {
  /** Where to look for `.polya/` from; relative paths of scripts are relative to it. Default: the working folder. */
  readonly folder?: string;
  readonly env?: Environment;
  /** A missing `.polya/` is made as soon as something is to be kept; without it, a missing one is an error. */
  readonly create?: boolean;
  /** Another back-end than the one that is chosen by probing, by its name; default: `POLYA_SANDBOX`. */
  readonly backend?: string;
  /** A sandbox of your own in its place. */
  readonly sandbox?: Sandbox;
  /** Your own, beside those that come with Polya; one of the same name takes its place. */
  readonly agents?: readonly Agent[];
  readonly families?: readonly Family[];
  /** By the name a run calls them by. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Agents, families, models and prices in files: `polya.config.ts`, and those that are named here. Default: none. */
  readonly code?: UserCodeOptions;
  /** Who answers for the model `manual`; without it, in folders and over HTTP only. */
  readonly person?: ManualOptions;
  /** Which addresses of models the user named, beside those of the environment. */
  readonly addresses?: AddressOptions;
  /** Models are found without their keys: for what asks none of them. */
  readonly keyless?: boolean;
  /** For tests: another time than the machine's, for runs and for the practice site. */
  readonly clock?: Clock;
  /** What single families let their user choose, by the name of the family. */
  readonly familyOptions?: FamilyOptions;
};

export type Journals = {
  readonly world: Runtime;
  readonly home: string;
  /** Where the journals are. */
  readonly place: StorePlace;
  /** What the user's own files bring; null where none is looked at. */
  readonly code: UserCode | null;
  /** The folder in which `io.files` lie. */
  readonly cache: string;
  close(): Promise<void>;
};
