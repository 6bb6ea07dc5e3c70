/**
 * The library: what an author of agents, families and scripts calls and names. `docs/api.md` is made from it, with the types
 * that these name in turn. The command line imports from the rooms and not from here.
 */

export type { Agent, Demands, Limits, Run, Solution } from './core/agent.ts';
export { ReplyCutOff, requireReply } from './core/cut-off.ts';
export { type AgentDefinition, defineAgent, defineFamily, type FamilyDefinition } from './core/define.ts';
export {
  Cancelled,
  ContextOverflow,
  DivergenceError,
  EffectFailed,
  ExplainedError,
  JournalError,
  LimitReached,
  UnavailableError,
  UserError,
} from './core/errors.ts';
export type { Event } from './core/event.ts';
export { foldRun } from './core/fold.ts';
export type { Io } from './core/io.ts';
export type { Json } from './core/json.ts';
export {
  imageOf,
  isCutOff,
  type Message,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ModelSettings,
  textOf,
  toolCallsOf,
} from './core/model.ts';
export type {
  Answer,
  Brief,
  EffectContext,
  Evaluation,
  Family,
  Grade,
  Problem,
  Submission,
  Tool,
  Verdict,
} from './core/problem.ts';
export { type ProgramTask, programEvaluationIn } from './core/program.ts';
export type { ExecRequest, ExecResult } from './core/sandbox.ts';
export { scriptedModel } from './models/scripted.ts';
export { Budget } from './open/budget.ts';
export {
  type ForkOptions,
  openPolya,
  type Polya,
  type PolyaOptions,
  type ReplayResult,
  type RunInfo,
  type RunOptions,
  type RunResult,
  type RunSettings,
} from './open/polya.ts';
export type { PolyaConfig } from './open/user-code/module.ts';
