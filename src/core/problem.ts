/** The contracts of a problem and its family. A spec is plain data; `Family.open` makes its functions without I/O. */
import type { z } from 'zod';
import type { EffectContext, Evaluation, PreviousToolCall, StageAdvance, ToolResult } from './handler.ts';
import type { Io } from './io.ts';
import type { Json, JsonObject } from './json.ts';
import type { ImagePart, TextPart } from './model.ts';
import type { ProgramTask } from './program.ts';
import type { LanguageId } from './sandbox.ts';

/** How a family finds a problem again: `{year: 2031, day: 1, lang: 'python', site: 'practice'}`. */
export type ProblemReference = JsonObject;

/** What prompts of agents place word for word. */
export type Brief = {
  /** The task, in the second person. */
  readonly task: string;
  readonly answerFormat: string;
  readonly criteria: string;
  /** Compilers, versions, limits. Empty where nothing is run. */
  readonly environment: string;
};

export type { EffectContext, Evaluation, PreviousToolCall, StageAdvance, ToolResult };

/** A problem as plain data. The header of the journal contains it. */
export type ProblemSpec = {
  readonly family: string;
  readonly id: string;
  readonly title: string;
  readonly reference: ProblemReference;
  /** A hash that changes when this becomes another problem: a resume over another hash is refused. Empty: the run makes one. */
  readonly contentHash: string;
  /** What any agent may read. */
  readonly statement: readonly (TextPart | ImagePart)[];
  readonly brief: Brief;
  /** Parts that open one after the other; the first is open from the start. Empty: the problem has no parts. */
  readonly stages: readonly string[];
  /** What only the family reads: toolchain told, user of a site. Never a secret. */
  readonly detail: JsonObject;
};

/** What an agent hands in. */
export type Answer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'source'; readonly language: LanguageId; readonly source: string }
  /** One entry a query of the examples, in their order; in it the attempts, the best first. At most two count. */
  | { readonly type: 'grids'; readonly attempts: readonly (readonly Grid[])[] };

/** Rows of colours, as the tasks of the Abstraction and Reasoning Corpus have them. */
export type Grid = readonly (readonly number[])[];

/** What a function makes of one grid. */
export type GridPair = { readonly input: Grid; readonly output: Grid };

/** A function that is shown on pairs: what it did, and what it is to be applied to. */
export type Examples = { readonly pairs: readonly GridPair[]; readonly queries: readonly Grid[] };

/** An input of a program, and the output that the statement gives for it. */
export type SamplePair = { readonly input: string; readonly output: string };

/** A call of one of the problem's tools. */
export type ToolRequest = { readonly name: string; readonly args: JsonObject };

/** How programs for a problem are tried on inputs whose outputs are known, and how a program's outputs become an answer. */
export type Samples = {
  readonly language: LanguageId;
  /** For prompts: what a program reads and prints. */
  readonly format: string;
  /** Null: the statement gives them in its words. */
  readonly pairs: readonly SamplePair[] | null;
  /**
   * `inputs`: a program is run on these; `answer` takes its outputs, and those of other programs as further attempts.
   * `tools`: a tool runs the program on inputs that only the family has, and another one takes its output as the answer.
   */
  readonly target:
    | {
        readonly type: 'inputs';
        readonly inputs: readonly string[];
        answer(attempts: readonly (readonly string[])[]): Answer | Mismatch;
      }
    | {
        readonly type: 'tools';
        run(source: string): ToolRequest;
        /** Null where the program failed. */
        output(result: ToolResult): string | null;
        handIn(output: string): ToolRequest;
      };
};

/** A reply that holds no answer of the asked form; `feedback` is for the model. */
export type Mismatch = { readonly type: 'misfit'; readonly feedback: string };

/** A function of the problem that a model may call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType<JsonObject>;
  /** The JSON Schema that models are shown, where more is accepted than they need to know. Absent: that of `parameters`. */
  readonly shown?: JsonObject;
  /** Which of its parameters takes a program, and whether a block of code in this language is one. */
  readonly program?: { readonly parameter: string; accepts(language: string): boolean };
  /**
   * `safe`: calling it again after a crash changes nothing. Otherwise `reconcile` looks whether the interrupted call took
   * effect: it returns its result, or null where the call has to be made again.
   */
  readonly repeat:
    | 'safe'
    | { reconcile(args: JsonObject, context: EffectContext): Promise<ToolResult | null> };
  call(args: JsonObject, context: EffectContext): Promise<ToolResult>;
}

/** Feedback on an answer that the agent may see. */
export type Verdict = { readonly pass: boolean; readonly feedback: string; readonly data?: JsonObject };

/** What decides the run; agents never see it. `score` alone: there is no right or wrong. Beside `correct`: how much is right. */
export type Grade = {
  readonly correct?: boolean;
  readonly score?: number;
  readonly explanation: string;
  /** Where the problem's tools receive the answers: the last one of each stage; `correct` is null where nobody can judge. */
  readonly answers?: readonly StageAnswer[];
  readonly data?: JsonObject;
};

/** The last answer that the tools of a stage received. */
export type StageAnswer = {
  readonly stage: string;
  readonly answer: string;
  readonly correct: boolean | null;
};

/** What the grader looks at. */
export type Submission = {
  readonly answer: Answer | null;
  readonly stagesDone: readonly string[];
  /** How long grading may take where it can be done in part. */
  readonly withinMs?: number;
};

/** A problem as an agent is handed it: its data, and the functions that its family offers. */
export interface Problem {
  readonly spec: ProblemSpec;
  readonly tools?: readonly Tool[];
  /** What was already made for this problem, to be judged by the agent: a proof, for instance. */
  readonly candidate?: { readonly text: string };
  readonly examples?: Examples;
  readonly samples?: Samples;
  parse?(reply: string): Answer | Mismatch;
  /** Whether two answers count as the same vote; never asked about the right answer. Pure, and immediate. */
  equal?(a: Answer, b: Answer): boolean;
  /**
   * In how many readings, from the strictest to the loosest, a grading would accept `reply` if `gold` were right: two
   * forms of one answer are accepted in some. Pure, and immediate.
   */
  accepts?(gold: Answer, reply: Answer): number;
  readonly program?: ProgramTask;
  check?(answer: Answer, context: EffectContext): Promise<Verdict>;
  grade?(submission: Submission, context: EffectContext): Promise<Grade>;
}

/** All capabilities, in the order in which they are shown. */
export const capabilities = [
  'tools',
  'stages',
  'candidate',
  'parse',
  'equal',
  'program',
  'check',
  'examples',
  'samples',
] as const;

/** What a problem may offer and an agent may need. */
export type Capability = (typeof capabilities)[number];

/** What goes with a run to another host. */
export type Portability = {
  /** Absolute paths of text files that its functions read. */
  readonly files?: readonly string[];
  /** A folder that its functions read, by its absolute path, and what of it they read, by relative names. */
  readonly folder?: {
    readonly path: string;
    contents(): Promise<ReadonlyMap<string, Uint8Array>>;
  };
  /** What its programs and tools are built with, beside what its brief names. */
  readonly languages?: readonly LanguageId[];
  /** A part of a sentence; nothing is sent then. */
  readonly staysBecause?: string;
};

/** A family as the rest of the code works with it; `defineFamily` makes one from its author's own types. */
export interface Family {
  readonly name: string;
  /** What `load` takes, where the family gives a schema. */
  readonly reference?: z.ZodType;
  /** What all of its problems offer, as far as that is known before one is loaded. */
  readonly offers?: readonly Capability[];
  /** What some of its problems offer besides. */
  readonly mayOffer?: readonly Capability[];
  /**
   * Whether any host can go on with a run of it: its specs hold the whole problem, or what it says of one is sent along.
   * Without it, runs stay on the host where they began.
   */
  readonly travels?: boolean | ((spec: ProblemSpec) => Portability);
  /** Loads a problem. Throws for all that is wrong with the reference, before the first paid call. */
  load(reference: Json, io: Io, signal: AbortSignal): Promise<ProblemSpec>;
  /** Makes the functions of a problem from its spec. Pure. */
  open(spec: ProblemSpec): Problem;
}
