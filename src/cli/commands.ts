/** The list of commands, in the order of the help. Nothing of a command is loaded before it is called. */
import type { CommandEntry } from './command.ts';

export const groups: Readonly<Record<string, string>> = {
  aoc: 'solve days of Advent of Code',
  qa: 'questions with one answer: ask one, run a data set, score',
  proof: 'find proofs, check them, and read how they came about',
  arc: 'tasks of grids (ARC): look at them, find their rules, score and submit',
  ahc: 'AtCoder Heuristic Contests: a workspace, and its evaluation; also called ahc-agent',
  'ahc database': 'past contests, and what did well in them',
  'ahc docker': 'the workspace in a container: its image, a shell, and their end',
  'ahc knowledge': 'what sessions have learned: changes that paid, and prompts by what they brought',
  'ahc library': 'C++ headers of algorithms to build on, and what is to be known of each',
  runs: 'look at runs, and go on with them',
  'run-set': 'many runs under one budget',
  prompts: 'the words that agents use',
  answers: 'find answers in replies, and compare them as mathematics',
};

export const commands: readonly CommandEntry[] = [
  {
    path: 'demo',
    about: 'see it work, with scripts in the place of models: no key, no server',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    path: 'setup',
    about: 'install what the sandbox needs of this machine',
    load: async () => (await import('./commands/setup.ts')).setup,
  },
  {
    path: 'doctor',
    about: 'say what works here and what is missing',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    path: 'ask',
    about: 'one question to a model, journaled like every run',
    load: async () => (await import('./commands/ask.ts')).ask,
  },
  {
    path: 'models',
    about: 'providers, whose keys are set, servers found on this machine; what one model takes',
    load: async () => (await import('./commands/models.ts')).models,
  },
  {
    path: 'models mock',
    about: 'a server that speaks the wires of all providers, for trying any client',
    load: async () => (await import('./commands/models-mock.ts')).modelsMock,
  },
  {
    path: 'exec',
    about: 'run a program of yours in the sandbox, once or over many cases',
    load: async () => (await import('./commands/exec.ts')).exec,
  },
  {
    path: 'aoc run',
    about: 'let an agent solve one day',
    load: async () => (await import('./commands/aoc-run.ts')).aocRun,
  },
  {
    path: 'aoc fetch',
    about: 'fetch the statement and the input of a day, to read them yourself',
    load: async () => (await import('./commands/aoc-fetch.ts')).aocFetch,
  },
  {
    path: 'aoc status',
    about: 'what is kept of the days: pages, inputs, stars, answers; asks no site',
    load: async () => (await import('./commands/aoc-status.ts')).aocStatus,
  },
  {
    path: 'aoc practice',
    about: 'serve the practice site for your browser',
    load: async () => (await import('./commands/aoc-practice.ts')).aocPractice,
  },
  {
    path: 'qa ask',
    about: 'one question to an agent: its answer, and how it came about',
    load: async () => (await import('./commands/qa-ask.ts')).qaAsk,
  },
  {
    path: 'qa run',
    about: 'the questions of a data set (GSM8K, MATH-500, any JSONL or CSV), and the score',
    load: async () => (await import('./commands/qa-run.ts')).qaRun,
  },
  {
    path: 'qa score',
    about: 'the score of run-sets or of answers from elsewhere; several are compared',
    load: async () => (await import('./commands/qa-score.ts')).qaScore,
  },
  {
    path: 'proof solve',
    about: 'let a solver and graders work on a problem until a proof is accepted',
    load: async () => (await import('./commands/proof-solve.ts')).proofSolve,
  },
  {
    path: 'proof verify',
    about: "let graders look for errors and gaps in somebody's proof",
    load: async () => (await import('./commands/proof-verify.ts')).proofVerify,
  },
  {
    path: 'proof show',
    about: 'a proof, every report on it, and the counters over time; as a document too',
    load: async () => (await import('./commands/proof-show.ts')).proofShow,
  },
  {
    path: 'arc run',
    about: 'let an agent find the rules of tasks of grids, some at once, under one budget',
    load: async () => (await import('./commands/arc-run.ts')).arcRun,
  },
  {
    path: 'arc show',
    about: 'draw a task in the terminal, or as a picture; list the tasks of a file',
    load: async () => (await import('./commands/arc-show.ts')).arcShow,
  },
  {
    path: 'arc score',
    about: 'score a submission by the official rule',
    load: async () => (await import('./commands/arc-score.ts')).arcScore,
  },
  {
    path: 'arc submit',
    about: 'write the answers of runs as a submission in the form of the competition',
    load: async () => (await import('./commands/arc-submit.ts')).arcSubmit,
  },
  {
    path: 'ahc init',
    about: "build a contest's workspace: statement, official tools, inputs",
    load: async () => (await import('./commands/ahc-init.ts')).ahcInit,
  },
  {
    path: 'ahc test',
    about: 'run a program over the cases, judged by the official tools',
    load: async () => (await import('./commands/ahc-test.ts')).ahcTest,
  },
  {
    path: 'ahc tune',
    about: 'search the constants of a program; no model is asked',
    load: async () => (await import('./commands/ahc-tune.ts')).ahcTune,
  },
  {
    path: 'ahc history',
    about: 'the tests of this workspace, and its score over versions',
    load: async () => (await import('./commands/ahc-history.ts')).ahcHistory,
  },
  {
    path: 'ahc vis',
    about: 'look at the output of a case in the official visualizer',
    load: async () => (await import('./commands/ahc-vis.ts')).ahcVis,
  },
  {
    path: 'ahc bundle',
    about: 'one file out of many, as AtCoder takes it',
    load: async () => (await import('./commands/ahc-bundle.ts')).ahcBundle,
  },
  {
    path: 'ahc config',
    about: 'show or set what holds here, and where each value comes from',
    load: async () => (await import('./commands/ahc-config.ts')).ahcConfig,
  },
  {
    path: 'ahc library list',
    about: 'all that there is, a line each',
    load: async () => (await import('./commands/ahc-library.ts')).ahcLibraryList,
  },
  {
    path: 'ahc library show',
    about: 'one of them: explanation, complexity, usage, measured speed, code',
    load: async () => (await import('./commands/ahc-library.ts')).ahcLibraryShow,
  },
  {
    path: 'ahc library search',
    about: 'those that keywords fit, best first',
    load: async () => (await import('./commands/ahc-library.ts')).ahcLibrarySearch,
  },
  {
    path: 'ahc knowledge list',
    about: 'pieces of code that made programs better, and the credit of each prompt',
    load: async () => (await import('./commands/ahc-knowledge.ts')).ahcKnowledgeList,
  },
  {
    path: 'ahc knowledge search',
    about: 'pieces that keywords fit, best first',
    load: async () => (await import('./commands/ahc-knowledge.ts')).ahcKnowledgeSearch,
  },
  {
    path: 'ahc knowledge show',
    about: 'one piece: what it gained, and its code',
    load: async () => (await import('./commands/ahc-knowledge.ts')).ahcKnowledgeShow,
  },
  {
    path: 'ahc database list',
    about: 'all past contests that are known, a line each',
    load: async () => (await import('./commands/ahc-database.ts')).ahcDatabaseList,
  },
  {
    path: 'ahc database search',
    about: 'past contests by words, name, tag and algorithm, and what did well in them',
    load: async () => (await import('./commands/ahc-database.ts')).ahcDatabaseSearch,
  },
  {
    path: 'ahc database show',
    about: 'one past contest: what it asked, its score rule, the approaches that did well',
    load: async () => (await import('./commands/ahc-database.ts')).ahcDatabaseShow,
  },
  {
    path: 'ahc database similar',
    about: 'past contests that a statement resembles, and the words that this rests on',
    load: async () => (await import('./commands/ahc-database.ts')).ahcDatabaseSimilar,
  },
  {
    path: 'ahc docker build',
    about: "build the workspace's image from its Dockerfile",
    load: async () => (await import('./commands/ahc-docker.ts')).ahcDockerBuild,
  },
  {
    path: 'ahc docker run',
    about: 'a shell, or a command, in a container of that image',
    load: async () => (await import('./commands/ahc-docker.ts')).ahcDockerRun,
  },
  {
    path: 'ahc docker cleanup',
    about: "remove this workspace's containers and images, and no others",
    load: async () => (await import('./commands/ahc-docker.ts')).ahcDockerCleanup,
  },
  {
    path: 'ahc solve',
    about: 'let models improve a program, in the background',
    load: async () => (await import('./commands/ahc-solve.ts')).ahcSolve,
  },
  {
    path: 'ahc status',
    about: 'how far a session is, what it does now, what it has cost',
    load: async () => (await import('./commands/ahc-status.ts')).ahcStatus,
  },
  {
    path: 'ahc stop',
    about: 'stop a session; it can go on later',
    load: async () => (await import('./commands/ahc-stop.ts')).ahcStop,
  },
  {
    path: 'ahc tell',
    about: 'say something to a session that runs: a hint, a question, a range, a reference',
    load: async () => (await import('./commands/ahc-tell.ts')).ahcTell,
  },
  {
    path: 'ahc report',
    about: 'a session as one page: course, lineage, what paid, what it cost',
    load: async () => (await import('./commands/ahc-report.ts')).ahcReport,
  },
  {
    path: 'ahc batch',
    about: 'many sessions out of one file: settings as a matrix, within one budget, compared',
    load: async () => (await import('./commands/ahc-batch.ts')).ahcBatch,
  },
  {
    path: 'runs list',
    about: 'the runs of this folder, newest first',
    load: async () => (await import('./commands/runs-list.ts')).runsList,
  },
  {
    path: 'runs show',
    about: 'one run: its outcome, its stages, its journal',
    load: async () => (await import('./commands/runs-show.ts')).runsShow,
  },
  {
    path: 'runs watch',
    about: 'follow a run that lives in another process',
    load: async () => (await import('./commands/runs-watch.ts')).runsWatch,
  },
  {
    path: 'runs resume',
    about: 'go on with a run that was stopped or killed',
    load: async () => (await import('./commands/runs-resume.ts')).runsResume,
  },
  {
    path: 'runs replay',
    about: 'run it again from its journal alone, free and offline',
    load: async () => (await import('./commands/runs-replay.ts')).runsReplay,
  },
  {
    path: 'runs fork',
    about: 'a new run that goes on from one of its events, with changes',
    load: async () => (await import('./commands/runs-fork.ts')).runsFork,
  },
  {
    path: 'runs diff',
    about: 'two runs side by side, and where they part',
    load: async () => (await import('./commands/runs-diff.ts')).runsDiff,
  },
  {
    path: 'runs export',
    about: 'runs as JSON, CSV, Markdown, or a folder of files',
    load: async () => (await import('./commands/runs-export.ts')).runsExport,
  },
  {
    path: 'runs record',
    about: 'save what was said to and by its models, to be played again by `replay:FILE`',
    load: async () => (await import('./commands/runs-record.ts')).runsRecord,
  },
  {
    path: 'runs stop',
    about: 'stop a run that lives in another process',
    load: async () => (await import('./commands/runs-stop.ts')).runsStop,
  },
  {
    path: 'runs tell',
    about: 'give a hint to a run',
    load: async () => (await import('./commands/runs-tell.ts')).runsTell,
  },
  {
    path: 'runs answer',
    about: 'answer what a run asks',
    load: async () => (await import('./commands/runs-answer.ts')).runsAnswer,
  },
  {
    path: 'runs delete',
    about: 'delete runs for good',
    load: async () => (await import('./commands/runs-delete.ts')).runsDelete,
  },
  {
    path: 'run-set run',
    about: 'run every row of a file, some at once, under one budget',
    load: async () => (await import('./commands/run-set-run.ts')).runSetRun,
  },
  {
    path: 'run-set show',
    about: 'one run-set: its rows, what came of them, what they cost',
    load: async () => (await import('./commands/run-set-show.ts')).runSetShow,
  },
  {
    path: 'run-set resume',
    about: 'go on with what is missing of a run-set that was stopped or killed',
    load: async () => (await import('./commands/run-set-resume.ts')).runSetResume,
  },
  {
    path: 'run-set list',
    about: 'the run-sets of this folder, newest first',
    load: async () => (await import('./commands/run-set-list.ts')).runSetList,
  },
  {
    path: 'cost',
    about: 'what was spent, by model, role, run, day or family',
    load: async () => (await import('./commands/cost.ts')).cost,
  },
  {
    path: 'prompts export',
    about: "write an agent's prompts into a folder, to be changed there",
    load: async () => (await import('./commands/prompts-export.ts')).promptsExport,
  },
  {
    path: 'answers equal',
    about: 'whether an answer is what the gold answer asks for, and why',
    load: async () => (await import('./commands/answers-equal.ts')).answersEqual,
  },
  {
    path: 'answers check',
    about: 'hold the comparison against a file of cases',
    load: async () => (await import('./commands/answers-check.ts')).answersCheck,
  },
  {
    path: 'answers extract',
    about: 'find the answer in a reply',
    load: async () => (await import('./commands/answers-extract.ts')).answersExtract,
  },
];
