/** Where everything lies in a workspace. */

export const layout = {
  config: 'ahc_config.yaml',
  problem: 'problem',
  /** What `init` found out: see contest.ts. */
  contest: 'problem/contest.json',
  /** The statement in the language that its user reads, for people and models; and in each that there is. */
  statement: 'problem/problem.md',
  statementIn: (language: 'ja' | 'en') => `problem/problem.${language}.md`,
  inputFormat: 'problem/input_format.txt',
  images: 'problem/images',
  samples: 'problem/samples',
  /** What `init --template` named: see differsFromTemplate. */
  template: 'problem/template.cpp',
  page: 'problem/page.html',
  tools: 'tools',
  crate: 'tools/tester',
  inputs: 'tools/tester/in',
  seeds: 'tools/tester/seeds.txt',
  visualizer: 'tools/visualizer',
  dockerfile: 'Dockerfile',
  compose: 'docker-compose.yml',
  testScript: 'test.sh',
  results: 'results.csv',
  experiments: 'experiments.log',
  ignore: '.gitignore',
  /** Where `test` looks for a program that is not named. */
  solution: 'main.cpp',
  /** In the folder of a session: what it learned. */
  sessionKnowledge: 'knowledge.json',
  /** Ours: history of evaluations, best known scores, outputs of the last ones, what was drawn. */
  records: '.ahc',
  history: '.ahc/history.jsonl',
  /** Best known scores as they are now, and every time that one became better: the log is what is true. */
  best: '.ahc/best.json',
  bestLog: '.ahc/best.jsonl',
  /** Sources by their hash, and in which order they came. */
  versions: '.ahc/versions',
  versionList: '.ahc/versions.jsonl',
  outputs: '.ahc/outputs',
  drawings: '.ahc/vis',
  /** What programs of sessions wrote, by the hash of the source: `HASH/CASE.out`. Sessions copy it from here. */
  sessionOutputs: '.ahc/session-outputs',
  /** Inputs that were made because a number was asked for that the official ones do not have: `0100.txt`. */
  made: '.ahc/made',
  /** Inputs that were made for searches: `seed1000000.txt`. */
  fresh: '.ahc/fresh',
} as const;

/** Sessions lie beside these. */
export const reservedNames: readonly string[] = ['problem', 'tools', 'in', 'out', 'outputs'];

/** A name as a folder of a session, or null: then it is refused. */
export function safeSessionDirName(name: string): string | null {
  const safe = name.trim().replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
  const isUsable = /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,99}$/u.test(safe) && !/^\.+$/.test(safe);
  return isUsable && !reservedNames.includes(safe.toLowerCase()) ? safe : null;
}
