/**
 * What a command is given of the process it runs in: streams, environment, signals, somebody to ask. Commands touch the
 * process through this alone, so that tests run them in their own process. It knows no command.
 */
import type { ContainerStreams, PersonOptions, PolyaOptions } from '../index.ts';
import type { Paint } from './paint.ts';

export type Output = {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Of a terminal; undefined where nobody knows how many. */
  readonly rows?: number | undefined;
  readonly paint: Paint;
  /** Whoever read it has gone: `| head`. */
  readonly isClosed: boolean;
  /** Somebody is typing there: nobody else draws on it. */
  readonly isHeld?: boolean;
};

export type Shell = {
  /** With what `.env` says beside it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As its user started us, where that is less: what other programs are given. */
  readonly ownEnv?: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly folder: string;
  /** How its user called Polya, so that what is told can be typed: `polya`, `./polya`. */
  readonly calledAs: string;
  /** Where its commands for contests are called as a program of their own: `ahc-agent`. */
  readonly ahcCalledAs?: string;
  /** Results. */
  readonly out: Output;
  /** Progress, questions and errors. */
  readonly err: Output;
  /** All of standard input. */
  readInput(): Promise<Uint8Array>;
  /** There is a person at a terminal who can be asked. */
  readonly isInteractive: boolean;
  /** `usual` is what Enter alone means. */
  confirm(question: string, usual: boolean): Promise<boolean>;
  /** Calls back at each Ctrl-C, SIGTERM and SIGHUP, until what it returns is called. */
  onInterrupt(listener: () => void): () => void;
  /** Answers for the model `manual`; null where nobody sits at a terminal. */
  readonly person: PersonOptions['terminal'];
  readonly isRoot: boolean;
  /** Another program, its output on our standard error. Resolves to its exit code, null where it did not start. */
  spawn(command: readonly string[]): Promise<number | null>;
  /** What a program of its user's own reads and writes directly; with a terminal where there is one at both ends. */
  streams(): ContainerStreams;
  /** For tests: a server in the place of adventofcode.com. */
  readonly aoc?: NonNullable<PolyaOptions['aoc']>;
  /** Ends the process at once, with whatever is in flight. */
  exit(code: number): never;
};
