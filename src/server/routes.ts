/** What each file of routes is handed. */
import type { Event, Header } from '../core/event.ts';
import type { RunRow } from '../core/store.ts';
import type { Panel } from '../notes/panel.ts';
import type { Journals } from '../open/options.ts';
import type { Commands } from './commands.ts';
import type { Reader } from './reader.ts';
import type { OnServerError } from './stream.ts';

export type ApiOptions = {
  readonly polya: Journals;
  /** Nobody can act through it. */
  readonly isReadOnly: boolean;
  /** Streams end when this is aborted. */
  readonly closing: AbortSignal;
  readonly onTrouble?: OnServerError;
  /** Missing where nothing can be begun from here. */
  readonly commands?: Commands | undefined;
  readonly apps?: PanelsOf | undefined;
};

/** What the app of a run shows of it, and the text of a document by its name: null where there is none. */
export type PanelsOf = {
  panels(events: readonly Event[], parsedRequest?: ParsedRequest): Promise<readonly Panel[]>;
  document(events: readonly Event[], name: string): Promise<string | null>;
};

/** `problem`: as it was posed, where the journal no longer holds it. `seq`: what this event opens. */
type ParsedRequest = { readonly problem?: Header['problem']; readonly seq?: number };

export type Routes = ApiOptions & { readonly reader: Reader };

/** What handlers below `/runs/ID` find: that there is such a run is looked at once, for all of them. */
export type OfRun = { Variables: { row: RunRow } };
