/** A shell is all that a command gets of its process, so that tests need none. The command line is given its apps as a list. */
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import type { Event, Header } from '../core/event.ts';
import type { RunView } from '../core/fold.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { SandboxInfo } from '../core/sandbox.ts';
import type { RunRow } from '../core/store.ts';
import type { ManualOptions } from '../models/manual/manual.ts';
import type { Panel } from '../notes/panel.ts';
import type { Journals, JournalsOptions } from '../open/options.ts';
import type { PanelsOf } from '../server/routes.ts';
import type { RowPlan, RunSet, SetPlan } from '../studies/run-set/plan.ts';
import { escapedJson } from '../text/format.ts';
import type { Painter } from '../text/paint.ts';
import type { Cell } from '../text/table.ts';

export type Shell = {
  /** The apps; each describes its own runs. */
  readonly apps: readonly App[];
  /** Includes the keys of a trusted `.env` and of the user's settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment as the user started us, if it is smaller; other programs get this one. */
  readonly ownEnv?: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly folder: string;
  /** How its user called Polya, so that what is told can be typed: `polya`, `./polya`. */
  readonly calledAs: string;
  /** Where its commands for contests are called as a program of their own: `ahc-agent`. */
  readonly ahcCalledAs?: string;
  /** How much of what runs is shown: the result alone, what happens, or every step with all that is written. */
  readonly detail?: 'quiet' | 'usual' | 'all';
  /** Results. */
  readonly out: Output;
  /** Progress, questions and errors. */
  readonly err: Output;
  /** For messages without which the user cannot continue, even if `err` is quiet. */
  readonly loud?: Output;
  /** All of standard input. */
  readInput(): Promise<Uint8Array>;
  /** There is a person at a terminal who can be asked. */
  readonly isInteractive: boolean;
  /** `usual` is what Enter alone means. */
  confirm(question: string, usual: boolean): Promise<boolean>;
  /** Calls back at each Ctrl-C, SIGTERM and SIGHUP, until what it returns is called. */
  onInterrupt(listener: () => void): () => void;
  /** Answers for the model `manual`; null where there is no terminal. */
  readonly person: ManualOptions['terminal'];
  readonly isRoot: boolean;
  /** Of the command that is called; missing in tests of parts: it runs. */
  readonly acts?: Acts;
  /** The base URLs that the user typed: the user's own word, unlike one in a file or a journal. */
  readonly namedUrls?: readonly string[] | undefined;
  /** Told when a command has done its work: journals that it could show in part only. */
  readonly unread?: Set<string>;
  /** Stores that its user knows are used, or need not know of. */
  readonly knownStores?: Set<string>;
  /** Another program, its output on our standard error. Resolves to its exit code, null where it did not start. */
  spawn(command: readonly string[]): Promise<number | null>;
  streams(): Streams;
  /** For tests: servers in the place of the real sites. */
  readonly familyOptions?: NonNullable<JournalsOptions['familyOptions']>;
  /** Shows a text by a command of its user's; false where that cannot be started. Missing without a terminal at both ends. */
  page?(pager: string, text: string): Promise<boolean>;
  /** Ends the process at once, with whatever is in flight. */
  exit(code: number): never;
};

/** What a program of its user's own reads and writes directly. */
export type Streams = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Of input and output. */
  readonly isTerminal: boolean;
};

export type CommandFile = {
  /** Its arguments and options. */
  define(command: Command, shell: Pick<Shell, 'apps'>): void;
  /** Reports what is there: where that is long, it is for a pager. */
  readonly isReport?: boolean;
  /** `--json` prints an object a line. */
  readonly printsLines?: boolean;
  /** What `--help` adds, by the other words of the call. */
  moreHelp?(shell: Shell, argv: readonly string[]): Promise<string>;
  /** Resolves to the exit code. What is thrown is told by the program. */
  run(shell: Shell, command: Command): Promise<number>;
};

/** A command that only finds out which other one is meant. */
export type StandIn = Omit<CommandFile, 'run'> & {
  /** The words of the other one. */
  words(shell: Shell, command: Command): Promise<readonly string[]>;
};

/** `looks`: it leaves aside what the folder brings. `runs`: it is refused where the folder brings something. */
export type Acts = 'looks' | 'runs';

export type CommandEntry = {
  /** `runs show` */
  readonly path: string;
  readonly about: string;
  /** What it does in a folder that its user has not trusted (docs/security.md). */
  readonly acts: Acts;
  load(): Promise<CommandFile | StandIn>;
};

/** A manifest holds strings and loaders only, so that `--help` loads nothing else. */
export type App = {
  /** The name of its folder. */
  readonly name: string;
  /** What a first word is about that has commands below it. */
  readonly groups: Readonly<Record<string, string>>;
  readonly commands: readonly CommandEntry[];
  /** Rows of the run-set that `polya demo` shows. */
  readonly demo?: { readonly acts: readonly string[]; load(): Promise<readonly Act[]> };
  /** Scenes of `polya demo` that are no rows of a run-set, by the names under which they are asked for. */
  readonly demoApart?: { readonly names: readonly string[]; load(): Promise<DemoApart> };
  /** Its hooks are for runs of these. */
  readonly families: readonly string[];
  /** The addresses of the sites that it reads. */
  readonly sites?: readonly string[];
  hooks?(): Promise<AppHooks>;
};

/** Where the runs of an app differ from all others. Each may be absent: the run is then treated like any other. */
export type AppHooks = {
  /** What runs of the app are measured by. Null where the journal has none. */
  metrics?(events: readonly Event[]): RunMetrics | null;
  /** The metrics of runs that have some, as CSV. */
  metricsCsv?(journals: readonly (readonly Event[])[]): string;
  /** A run as files: relative path → text. */
  exportFiles?(events: readonly Event[], options: { readonly withPuzzle: boolean }): ExportedFiles | null;
  /** Texts of a journal that may not be passed on. */
  hiddenTexts?(events: readonly Event[]): readonly string[];
  /** What the page shows of a run beside its events, also while it is at work. */
  panels?(events: readonly Event[], problem: Header['problem']): readonly Panel[] | Promise<readonly Panel[]>;
  /** The same of one event, where that has more to tell than its line: what a chart opens. Null where it has not. */
  opened?(
    events: readonly Event[],
    problem: Header['problem'],
    seq: number,
  ): Panel | null | Promise<Panel | null>;
  /** What can be saved of it there: the file's name → its text. */
  documents?(events: readonly Event[]): Readonly<Record<string, () => Promise<string>>>;
  /** Tells the result of a run that was resumed or forked. Resolves to the exit code, null where it told nothing. */
  tell?(shell: Shell, options: { readonly json?: boolean }): Tell;
  /** Keeps files beside the journal while the run is at work. Null where the run has none. */
  files?(
    shell: Pick<Shell, 'env'>,
    polya: Pick<Journals, 'world' | 'place'>,
    header: Header,
    onNotice: (notice: string) => void,
  ): Promise<RunFiles | null>;
  /** What goes on with something that the app alone calls by this name; null where it knows none. */
  namedResumedBy?(shell: Shell, name: string): Promise<readonly string[] | null>;
  /** Prints the result of a set in place of the table of its rows; null where that table is the best. */
  tellsSet?(plan: SetPlan): ((shell: Shell, polya: Journals, set: RunSet) => Promise<void>) | null;
  /** Runs that the app alone calls by this name, the oldest first; null where it knows none. */
  namedRuns?(shell: Shell, name: string): Promise<readonly string[] | null>;
  /** Says what a command of the app does with the set that `run-set resume` does not. */
  tellResumedSet?(shell: Shell, set: RunSet): void;
};

export type RunFiles = {
  /** An event of some run of this process: the files may be out of date. */
  onEvent(event: Event): void;
  /** Resolves when the files hold all that the journal holds, or their trouble was reported. */
  update(): Promise<void>;
};

export type ExportedFiles = Readonly<Record<string, string>>;

export type DemoApart = {
  /** Plays one scene, and tells what came of it. */
  play(shell: Shell, name: string, options: DemoOptions): Promise<number>;
  /** What `polya demo` shows after the run-set; null where this machine cannot run it. */
  playLast(shell: Shell, polya: Journals, options: DemoOptions): Promise<DemoLast | null>;
};

/** `backend`: the sandbox that is named. `view`: somebody looks at the page of the working folder's store. */
export type DemoOptions = { readonly isJson: boolean; readonly backend?: string; readonly view?: boolean };

export type DemoLast = { readonly code: number; readonly told: JsonObject; readonly next: string };

/** Tells a result; resolves to the exit code, null where it told nothing and the command is to do it. */
export type Tell = (result: RunResult, polya: Journals, code: number) => Promise<number | null>;

/** A run of no app, or of an app without hooks, has none. */
export async function hooksFor(
  { apps }: Pick<Shell, 'apps'>,
  header: Pick<Header, 'problem'> | null,
): Promise<AppHooks> {
  const app = apps.find(({ families }) => header !== null && families.includes(header.problem.family));
  return (await app?.hooks?.()) ?? {};
}

/** The hooks of the app whose run the journal is of. */
export function hooksOf(shell: Pick<Shell, 'apps'>, events: readonly Event[]): Promise<AppHooks> {
  return hooksFor(shell, headOf(events)?.body ?? null);
}

function headOf(events: readonly Event[]) {
  return events.findLast((event) => event.kind === 'run-start' || event.kind === 'run-fork');
}

/** What the page is given of them. */
export function panelsFor(shell: Pick<Shell, 'apps'>): PanelsOf {
  return {
    async panels(events, { problem, seq } = {}) {
      const head = headOf(events);
      const problemSpec = problem ?? head?.body.problem;
      if (!head || !problemSpec) return [];
      const hooks = await hooksFor(shell, head.body);
      if (seq === undefined) return (await hooks.panels?.(events, problemSpec)) ?? [];
      return [(await hooks.opened?.(events, problemSpec, seq)) ?? []].flat();
    },
    document: async (events, name) => {
      const found = (await hooksOf(shell, events)).documents?.(events) ?? {};
      return Object.hasOwn(found, name) ? ((await found[name]?.()) ?? null) : null;
    },
  };
}

export function hooksForSet({ apps }: Pick<Shell, 'apps'>, { rows }: SetPlan): Promise<readonly AppHooks[]> {
  const isMeant = ({ families }: App) => rows.some(({ family }) => families.includes(family));
  return Promise.all(apps.filter(isMeant).map(async (app) => (await app.hooks?.()) ?? {}));
}

export type RunResult = {
  readonly row: RunRow;
  readonly view: RunView;
  /** Null where the app of the run has no measures for it. */
  readonly metrics: RunMetrics | null;
};

export type RunMetrics = {
  /** The field `metrics` of `--json`. */
  readonly json: Json;
  /** What the table of stages does not say, for people. */
  table(output: Output): string;
  /** All of them by name, for the comparison of two runs. */
  readonly rows: Readonly<Record<string, string>>;
};

export type Output = {
  /** Escapes all control characters that are not of `paint`. */
  write(text: string): void;
  /** The bytes of a document as they are. Missing on a terminal, which must not obey them. */
  writeBytes?(bytes: string | Uint8Array): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  /** The rows of a terminal; undefined if unknown. */
  readonly rows?: number | undefined;
  readonly paint: Painter;
  /** Its reader has gone: `| head`. */
  readonly isClosed: boolean;
  /** The same, for texts that are no words of ours: their lines are not broken. */
  readonly exact?: Output;
  /** A person is typing there: nothing may be drawn on it. */
  readonly isHeld?: boolean;
};

/** Prints a result: a text is for people, any other value is for programs and printed as JSON. */
export function print(out: Output, result: string | object): void {
  if (typeof result === 'string') out.write(result);
  else exactly(out).write(`${escapedJson(result, 2)}\n`);
}

/** Prints what its user asked for as a document: an answer, a program, an export. */
export function printDocument(out: Output, text: string): void {
  const to = exactly(out);
  if (to.writeBytes) to.writeBytes(text);
  else to.write(text);
}

/** For programs, answers, documents and data. */
export function exactly(out: Output): Output {
  return out.exact ?? out;
}

/** Rows of the run-set of `polya demo`, and what is shown of their results. An app names its acts in its `app.ts`. */
export type Act = {
  /** `polya demo NAME` shows it alone. */
  readonly name: string;
  /** A sentence: who does what. */
  readonly title: string;
  /** A sentence: what of it is real. The replies never are. */
  readonly real: string;
  /** How its world is opened, where that differs from the usual. */
  readonly world?: Pick<JournalsOptions, 'familyOptions'>;
  cast(machine: Pick<SandboxInfo, 'toolchains'>): Cast;
  /** Between the run and the outcome, and between the outcome and what it took: together with these 100 columns wide. */
  readonly about: Column;
  readonly facts: readonly Column[];
  /** What a user may want to try afterwards: a command without `polya`, and what it does. */
  next(visible: readonly RunResult[]): readonly (readonly [command: string, meaning: string])[];
};

export type Cast = {
  /** The rows, whose names are shown before they begin. */
  readonly rows: readonly RowPlan[];
  /** What this machine cannot run, by name. */
  readonly leftOut: readonly string[];
};

export type Column = { readonly head: string; readonly cell: (result: RunResult) => Cell };

/** How often each role was asked. */
export const callsColumn: Column = {
  head: 'calls',
  cell: ({ view }) =>
    Object.entries(view.byRole)
      .map(([role, { modelCalls }]) => `${role} ${modelCalls}`)
      .join(', '),
};

type Scripted = Pick<RowPlan, 'name' | 'family' | 'problem' | 'agent'> &
  Partial<Pick<RowPlan, 'settings' | 'limits'>> & {
    /** `examples/scripts/SCRIPT.yaml`, for all roles. */
    readonly script: string;
  };

/** The seed is always the same, so that all users are shown the same. */
export function scripted({ script, settings = {}, limits = {}, ...row }: Scripted): RowPlan {
  const models = { default: `scripted/${script}` };
  return { ...row, settings, limits, models, modelSettings: {}, seed: 'demo' };
}
