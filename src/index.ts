/**
 * The library's public spec, and the one way in for the faces of the program: what is exported here, and nothing else.
 * What it opens can start runs, go on with them, replay and fork them, and read their journals.
 */

export {
  agree,
  type Case,
  type Checked,
  checkCases,
  type EqualOptions,
  equal,
  extract,
  type Miss,
  openAnswers,
  type ProfileName,
  percentProfiles,
  profileNames,
  type Verdict,
} from './answers/index.ts';
export type { Agent, Limits, Run, Solution } from './core/agent.ts';
export { defineAgent, defineFamily, type ProblemWith } from './core/define.ts';
export { EffectFailed, LimitReached, requireReply, UnavailableError, UserError } from './core/errors.ts';
export { type Event, type Header, positionName, type RunEnd } from './core/event.ts';
export { applyEvent, emptyView, foldRun, type RunView, type Totals } from './core/fold.ts';
export { type Message, type Model, type ModelRequest, textOf, toolCallsOf } from './core/model.ts';
export type { Answer, Examples, Family, Grid, GridPair, Problem, ProblemSpec, Tool } from './core/problem.ts';
export type { Sandbox } from './core/sandbox.ts';
export type { MailKind, RunRow, Store } from './core/store.ts';
export type { Group } from './families/ahc/compare/features.ts';
export type { Contest as AhcContest } from './families/ahc/contest.ts';
export type { ContestDatabase } from './families/ahc/database/database.ts';
export type { PastContest } from './families/ahc/database/record.ts';
export type { Criteria, Criterion, Searched } from './families/ahc/database/search.ts';
export type { Similar } from './families/ahc/database/similar.ts';
export type { Candidate, Desk, DoneCase, Evaluation, Prepared } from './families/ahc/evaluation.ts';
export type { PromptCredit } from './families/ahc/knowledge/credit.ts';
export type { Knowledge } from './families/ahc/knowledge/known.ts';
export type { FoundPiece } from './families/ahc/knowledge/search.ts';
export type { Library, LibraryEntry } from './families/ahc/library/entry.ts';
export type { BestScores } from './families/ahc/records/best.ts';
export type { CaseRecord, EvaluationRecord } from './families/ahc/records/history.ts';
export type { Version } from './families/ahc/records/versions.ts';
export type { SessionCandidate } from './families/ahc/session/fold.ts';
export type { Workspace } from './families/ahc/workspace.ts';
export { metricsCsv } from './families/aoc/csv.ts';
export type { AocDesk, DayQuestion, DayStatus, FetchedDay } from './families/aoc/day.ts';
export type { ExportedFiles } from './families/aoc/export.ts';
export { type ErrorType, errorTypes, type Failure, failures } from './families/aoc/failure.ts';
export { languageIds as aocLanguages } from './families/aoc/languages.ts';
export { type AocMetrics, aocMetrics } from './families/aoc/metrics.ts';
export type { ArcScore, TaskScore } from './families/arc/score.ts';
export type { ChosenTasks, TaskChoice } from './families/arc/select.ts';
export type { ArcSubmission, SubmissionEntry } from './families/arc/submission.ts';
export type { ArcTask, TaskFault } from './families/arc/task.ts';
export type { TaskFile } from './families/arc/task-file.ts';
export type { PosedProblem } from './families/proof/problems.ts';
export type { Collage, CollageRow } from './grids/collage.ts';
export type { Block } from './grids/terminal.ts';
export { seededChance } from './io/chance.ts';
export { findHome } from './io/home.ts';
export { makeFolder } from './io/make-folder.ts';
export { fullDisk, writeWholeSync } from './io/write-whole.ts';
export { modelForms, modelNameOf } from './models/catalogue.ts';
export { parseModelChoice } from './models/choice.ts';
export {
  describeModel,
  describeProviders,
  type ModelDescription,
  type ProviderDescription,
} from './models/describe.ts';
export { findLocalServers, type LocalServer } from './models/local-servers.ts';
export type { PersonOptions } from './models/manual/manual.ts';
export { type Script, scriptedModel } from './models/scripted.ts';
export type { WorkspaceQuestion } from './open/families/ahc/workspace.ts';
export { aocdFolder, type PracticeServer, servePractice } from './open/families/aoc.ts';
export { lastingModelName } from './open/models.ts';
export type { Polya, PolyaOptions } from './open/options.ts';
export { hasRuns, openPolya, previewRun } from './open/polya.ts';
export { type ModelServerChoice, serveModels } from './open/serve-models.ts';
export { codeVersion } from './open/version.ts';
export { practiceEvents } from './practice/events.ts';
export { faults as modelServerFaults } from './practice/models/conduct.ts';
export { type ForkSpec, forkRun } from './run/fork.ts';
export type { RunHandle } from './run/live.ts';
export { type Speech, tail } from './run/live-stream.ts';
export { followJournal, readJournal } from './run/load.ts';
export type { FirstRequest } from './run/preview.ts';
export { previewLife } from './run/preview.ts';
export { type Replay, replayRun } from './run/replay.ts';
export { resumeRun } from './run/resume.ts';
export { newRunId } from './run/run-id.ts';
export { readSpending } from './run/spending.ts';
export { beginRun, type PreparedRun, prepareRun, type RunSpec, startRun } from './run/start.ts';
export type { Delta, Observer, World } from './run/world.ts';
export { type Probed, probeBackends } from './sandbox/choose.ts';
export { type CleanOptions, cleanMachine } from './sandbox/clean.ts';
export { buildImageHere, imageReport } from './sandbox/docker/set-up.ts';
export type { Leftover } from './sandbox/docker/workspace-clean.ts';
export type { Streams as ContainerStreams } from './sandbox/docker/workspace-shell.ts';
export { missingNeeds } from './sandbox/needs.ts';
export {
  beginSet,
  resumeSet,
  type SetEnding,
  type SetHandle,
  type SetObserver,
} from './studies/run-set/execute.ts';
export { parseRunSet } from './studies/run-set/file.ts';
export { type RowPlan, type RunSet, runIdOf, type SetPlan, setOf } from './studies/run-set/plan.ts';
export { type PreparedRows, prepareRows } from './studies/run-set/prepare.ts';
export { isDone, type RowResult, readRow, readRows } from './studies/run-set/rows.ts';
