/** What the pages leave to their readers, given as a reader would give it, with the reason; and what no test can type. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.ts';

export type Page = {
  /** What the page leaves open, and so what stands here. */
  readonly why: string;
  /** In its folder; `~/` is the home. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of a clone, beside the programs. */
  readonly links?: readonly string[];
  /** Words of a line, and what is typed before it. */
  readonly before?: Readonly<Record<string, string>>;
  /** Words of its lines, and what a reader types in their place. */
  readonly typed?: Readonly<Record<string, string>>;
  /** A server of models in the place of all providers: a script of what it answers, or an echo. */
  readonly model?: string;
  /** Where it stands for an address of a server. */
  readonly postgres?: string;
  /** Words of a line: how it ends, and the words of the page that say so. */
  readonly ends?: Readonly<Record<string, readonly [code: number, says: string]>>;
};

const file = (path: string) => readFileSync(join(root, path), 'utf8');
const clone = ['examples', 'node_modules'];

/** Each with the reason. */
export const notTyped: Readonly<Record<string, string>> = {
  'npm ci': 'takes packages from the registry; test/package/package.long.test.ts installs the whole package',
  './polya setup': 'installs packages of Debian as root; test/cli/setup.test.ts',
  'npm test': 'runs this suite',
  'createuser polya --pwprompt': 'is done to the server of the tests when it starts',
  'createdb --owner polya polya': 'is done to the server of the tests when it starts',
  'npx vitest run test/sandbox src/sandbox': 'is a part of this suite',
  './polya aoc run --year 2015 --day 1 --lang kotlin --model openai-compatible/NAME':
    'asks adventofcode.com for somebody; test/cli/aoc-site.test.ts has a site on this machine',
  './polya setup --docker': 'builds an image of 2.5 GB from a registry; test/sandbox/docker*.test.ts',
  'docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined …':
    'needs an engine and an image of the reader',
  'docker run -v /var/run/docker.sock:/var/run/docker.sock …': 'needs an engine and an image of the reader',
  'ahc-agent init ahc030 [--template FILE] [--workspace-root PATH] [--from PATH …] [--lang ja|en] [--fresh]':
    'tells the form of a command that is typed above it',
};

/** Replies of a model for any day of Advent of Code: adds up, then multiplies. */
const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
const program = (operation: string) => `import sys, math\nprint(${operation}(map(int, sys.stdin)))`;
const handsIn = (operation: string) => [
  call('RunGeneratedCode', { lang: 'python', code: program(operation) }),
  call('SubmitAnswer', { answer: '{{tool.stdout}}' }),
];
const twoParts = JSON.stringify({ roles: { solver: { '': [...handsIn('sum'), ...handsIn('math.prod')] } } });
const always = (text: string) => JSON.stringify({ roles: { solver: { '*': [{ text, repeat: true }] } } });
/** A program, an answer behind it, and a plan: whatever an agent of questions asks for. */
const answering = (answer: string) =>
  always(
    `PROBLEM_TYPE: Math\nPLAN: Add up.\nSTRATEGY_RECOMMENDATION: Python\n\`\`\`python\nprint(${answer})\n\`\`\`\nFinal Answer: ${answer}`,
  );
const practiceDay = file('examples/scripts/aoc-practice-day1.yaml');
const questions = [97, 98, 99, 100]
  .map((n) => `{"question": "What is the sum of the primes below ${n + 1}?", "answer": "#### 1060"}`)
  .join('\n');
const [{ mirror: task }, { mirror: outputs }] = ['challenges', 'solutions'].map((name) =>
  JSON.parse(file(`examples/arc/polya_${name}.json`)),
);
const aRule = 'scripted/arc-mirror';
const slow = JSON.stringify({
  delayMs: 3_600_000,
  roles: { solver: { '*': [{ text: 'I think.', repeat: true }] } },
});
/** The ids that a list has, the newest first. */
const ids = (list: string) => `polya ${list} --json | grep -o '[0-9]\\{8\\}-[0-9]\\{6\\}-[a-z0-9]*' | uniq`;
/** Goes on beside what is typed, once it has said these words. */
const beside = (command: string, words: string, heard = 'beside.txt') =>
  `${command} >${heard} 2>&1 & until grep -qs '${words}' ${heard}; do sleep 0.1; done`;
/** Of two evolved programs, so that there is knowledge; its script fits no other session (src/apps/ahc/demo.ts). */
const earlier = [
  'ahc-agent solve --foreground --session-name earlier --model scripted/ahc-lanterns --cases 0-9 --islands 1 --max-generations 1 -q',
  `--population-size 6 --set linesPerIsland=1 --set heldOutCases=12`,
  `--set 'mutationPrompts=["Move one lantern."]' --set 'operators={"change":1,"rewrite":0,"tune":0}'`,
].join(' ');
const aBatch = `problems: [polya001]\nbase: { evolution.max_generations: 0, islands: 1, searchCases: 4, heldOutCases: 4 }
matrix: { llm.model: [openai/gpt-5], evolution.population_size: [1, 2] }\n`;
const quick = '--cases 0-1 --evaluations 10 --unseen 2';

/** What the models of that server cost. */
export const prices = { '~/.config/polya/prices.yaml': '"*": { input: 1, output: 1 }\n' };

export const pages: Readonly<Record<string, Page>> = {
  'README.md': {
    why: 'A key and a provider: a server of models answers with the script of the demo.',
    typed: { '…': 'a-key-of-mine' },
    model: practiceDay,
  },
  'docs/your-own.md': { why: 'It stands in a clone.', links: clone },
  'docs/ahc.md': {
    why: 'A contest without its site, constants to tune, a session that learned, a batch, keys and providers.',
    model: 'echo',
    files: { 'sizes.yaml': aBatch },
    before: {
      'tune main.cpp --cases': `cp ${root}/examples/contests/polya001/solutions/tunable.cpp main.cpp`,
      'knowledge list': `cp ${root}/examples/contests/polya001/solutions/weak.cpp main.cpp && ${earlier}`,
      'solve --interactive --session-id': 'ahc-agent stop $(ls -d session_* | tail -1)',
      'batch sizes.yaml --dry-run': 'ahc-agent stop && cp ../../sizes.yaml .',
      'docker build': 'export DOCKER_HOST=unix:///nowhere.sock',
    },
    typed: {
      'init ahc030': `init polya001 --template ${root}/examples/contests/polya001/solutions/weak.cpp`,
      'workspace/ahc030': 'workspace/polya001',
      '--cases 0-49': quick,
      'mutation_prompts[1]': 'mutation_prompts[0]',
      'START_TEMPERATURE=10..1000:log --evaluations 300': `NEIGHBOUR_WEIGHT=0..2 ${quick}`,
      'night_20261121T170000/gen03_id02':
        '$(ahc-agent knowledge list --json | sed -n \'s/.*"id": "\\(.*\\)".*/\\1/p\' | head -1)',
      '--session-name night': '--session-name night --cases 0-3 --set heldOutCases=4',
      '--max-generations 60': '--max-generations 1000 --set plateauGenerations=0',
      'ID --workspace ~/w/ahc030': `$(${ids('run-set list')} | head -1) --workspace .`,
    },
    ends: { 'ahc-agent docker': [3, 'something is missing'] },
  },
  'docs/answers.md': {
    why: 'A file of cases.',
    files: { 'cases.jsonl': '{"gold": "1/2", "answer": "0.5", "equal": true}\n' },
  },
  'docs/aoc.md': {
    why: 'A day in files, the same in the cache of advent-of-code-data, and replies to it.',
    typed: { '…': 'a-cookie-of-mine' },
    files: {
      'replies.json': twoParts,
      'day.md': 'Add them up.\n\n--- Part Two ---\n\nMultiply them.\n',
      'input.txt': '3\n4\n',
      '~/.config/aocd/github.ada.1/2020_01_input.txt': '3\n4\n',
      '~/.config/aocd/github.ada.1/2020_01_prose.2.html':
        '<article><p>Add.</p></article><article><p>Multiply.</p></article>',
      '~/.config/aocd/github.ada.1/2020_01a_answer.txt': '7',
      '~/.config/aocd/github.ada.1/2020_01b_answer.txt': '12',
    },
  },
  'docs/arc.md': {
    why: 'The official tasks, keys and providers: one of our tasks under their names, and its script.',
    typed: {
      '1a2b': 'last',
      '3c4d': 'last',
      'openai/gpt-5 --reasoning high': aRule,
      'google/gemini-2.5-pro': aRule,
    },
    files: {
      'arc-agi_evaluation_challenges.json': JSON.stringify({ '00576224': task, '009d5c81': task }),
      'arc-agi_evaluation_solutions.json': JSON.stringify({ '00576224': outputs, '009d5c81': outputs }),
      'my-tasks/00576224.json': JSON.stringify(task),
      'my-tasks/009d5c81.json': JSON.stringify(task),
      'my_challenges.json': JSON.stringify({ '00576224': task, '009d5c81': task }),
    },
  },
  'docs/cost.md': { why: 'It stands in a clone.', links: clone },
  'docs/ensemble.md': {
    why: 'A key and a provider, and a file of questions.',
    model: answering('1060'),
    files: { 'questions.jsonl': questions },
  },
  'docs/languages.md': {
    why: 'Programs and inputs of the reader.',
    files: {
      'solution.py': 'print(int(input()) + 1)\n',
      'input.txt': '41\n',
    },
  },
  'docs/journal.md': { why: 'A provider for a fork.', model: practiceDay },
  'docs/models.md': { why: 'Keys and providers.', model: practiceDay, typed: { 'llama3:8b': 'mock' } },
  'docs/proof.md': {
    why: 'A problem, a key and providers; labels of a run; a run that goes on.',
    links: ['examples'],
    model: 'echo',
    typed: { RUN: 'last' },
    before: { 'runs tell': beside('polya proof solve problem.md --model scripted:slow.json', 'Ctrl-C') },
    files: {
      'slow.json': slow,
      'problem.md': 'Prove that 2 is even.\n',
      'labels.yaml': 'odd-squares.md: right\nodd-squares-wrong.md: wrong\n',
    },
    ends: { 'proof verify': [1, '1: it did not'] },
  },
  'docs/fleet.md': {
    why: 'A Postgres, a store in a file to copy, a provider with its key, a file of questions, and files with code.',
    postgres: 'postgres://polya@db.example/polya',
    model: answering('1060'),
    files: {
      'gsm8k.jsonl': questions,
      'mine.ts': 'export default { agents: [] };\n',
      'sums.ts': 'export default { families: [] };\n',
      'one.json': always('Forty-two.'),
    },
    before: { 'copy .polya': 'env -u POLYA_STORE polya ask "How many?" --model scripted:one.json' },
  },
  'docs/qa.md': {
    why: 'A key and a provider, and a file of questions.',
    model: answering('1060'),
    before: { SET1: 'polya qa run gsm8k.jsonl --limit 1 --agent chain --model openai/gpt-5.1 -q' },
    typed: { 'SET1 SET2': `last $(${ids('run-set list')} | tail -1)` },
    files: { 'gsm8k.jsonl': questions },
  },
  'docs/run-sets.md': { why: 'It stands in a clone.', links: ['examples'] },
  'docs/scripts.md': {
    why: 'The script that the page shows.',
    files: { 'replies.yaml': /```yaml\n([\s\S]*?)```/.exec(file('docs/scripts.md'))?.[1] ?? '' },
    ends: { 'replies.yaml': [1, 'both runs end with exit code 1'] },
  },
  'docs/platforms.md': {
    why: 'A machine without an engine is the worst case.',
    before: { 'POLYA_SANDBOX=docker': 'export DOCKER_HOST=unix:///nowhere.sock' },
    ends: { 'POLYA_SANDBOX=docker': [3, '`polya doctor` ends with exit code 3 while'] },
  },
  'docs/view.md': { why: 'It stands in a clone.', links: ['examples'], typed: { SET: 'last' } },
};
