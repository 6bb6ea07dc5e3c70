/**
 * The library: what an author of agents and families calls, and every type that can be reached from it.
 * `docs/api.md` is made from it. The command line imports from the rooms and not from here.
 */

export type * from './core/agent.ts';
export { outcomeKinds } from './core/agent.ts';
export {
  type AgentDefinition,
  defineAgent,
  defineFamily,
  type FamilyDefinition,
  type LoadedProblem,
  type ProblemData,
  type ProblemFunctions,
  type ProblemWith,
} from './core/define.ts';
export {
  Cancelled,
  ContextOverflow,
  DivergenceError,
  type EffectError,
  EffectFailed,
  type EndLimit,
  ExplainedError,
  type Explanation,
  JournalError,
  type LimitName,
  LimitReached,
  ReplyCutOff,
  requireReply,
  UnavailableError,
  UserError,
} from './core/errors.ts';
export {
  type CodeOrigin,
  type EffectKind,
  type Event,
  type EventBodies,
  type EventKind,
  type EventOf,
  effectPairs,
  type Header,
  type IntentKind,
  type ModelHeader,
  type Position,
  positionName,
  type RetryPolicy,
  type RunEnd,
  type Settlement,
  type SettlementKind,
  type StopCause,
} from './core/event.ts';
export { foldRun, type OpenEffect, type RunView, type StageView } from './core/fold.ts';
export type {
  Chance,
  Clock,
  Files,
  Folder,
  Http,
  HttpRequest,
  HttpResponse,
  Io,
  WriteOptions,
} from './core/io.ts';
export type { Json, JsonObject } from './core/json.ts';
export type * from './core/model.ts';
export { isCutOff, reasoningEfforts, textOf, toolCallsOf } from './core/model.ts';
export type * from './core/problem.ts';
export { capabilities } from './core/problem.ts';
export {
  type Direction,
  type ProgramEvaluation,
  type ProgramTask,
  programEvaluation,
  programEvaluationIn,
} from './core/program.ts';
export type {
  BatchRequest,
  BatchResult,
  BuildRequest,
  BuildResult,
  CapturedOutput,
  Case,
  CaseResult,
  CheckResult,
  CompileResult,
  ExecLimits,
  ExecRequest,
  ExecResult,
  Executable,
  LanguageId,
  OnCase,
  Program,
  ProgramFiles,
  Removed,
  Runnable,
  Sandbox,
  SandboxInfo,
  StepResult,
  StepVerdict,
  Tester,
  Toolchain,
} from './core/sandbox.ts';
export { seededChance } from './core/seeded-chance.ts';
export { type Spent, spentOf, type Totals } from './core/totals.ts';
export type { Price, Rates, Tokens, Usage } from './core/usage.ts';
export {
  type Script,
  type ScriptCall,
  type ScriptEnd,
  type ScriptError,
  type ScriptedModelOptions,
  type ScriptSuccess,
  type ScriptToolCall,
  scriptedModel,
} from './models/scripted.ts';
export { Budget, type BudgetLimits } from './open/budget.ts';
export {
  type ForkOptions,
  openPolya,
  type Polya,
  type PolyaOptions,
  type ReplayResult,
  type RunFilter,
  type RunInfo,
  type RunOptions,
  type RunResult,
  type RunSettings,
  type WatchOptions,
} from './open/polya.ts';
export type { PolyaConfig, PriceLine } from './open/user-code/module.ts';
