/** Secrets with a mark that is looked for afterwards: in the environment under every name, in `.env`, in files of keys. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apps } from '../../src/apps/all.ts';
import { polyaProgram } from '../../src/cli/commands.ts';
import { secretWords, siteSessions } from '../../src/core/secrets.ts';
import { providers } from '../../src/models/providers/index.ts';
import { type Group, readGroups, type Surroundings, surroundingsOf } from '../before/calls.ts';

export const canary = /canary-[\w-]+-0123456789abcdef/;

const names = [
  ...secretWords.anywhere.flatMap((word) => [`MY_${word}`, `my_${word.toLowerCase()}_1`, `${word}S`]),
  ...secretWords.atTheEnd.map((word) => `MY${word}`),
  ...providers.flatMap(({ keys }) => keys),
  ...siteSessions,
];
const secretOf = (name: string) => `canary-${name}-0123456789abcdef`;

/** In the folder of a command and in its user's home. */
const files: Readonly<Record<string, string>> = {
  '.env': `DOTENV_API_KEY=${secretOf('dotenv')}\n`,
  'keys.txt': secretOf('keys'),
  '.netrc': `machine x password ${secretOf('netrc')}`,
  '.ssh/id_ed25519': secretOf('ssh'),
  '.config/polya/aoc-session': secretOf('aoc-file'),
  '.config/gh/hosts.yml': `oauth_token: ${secretOf('gh')}`,
  '.aws/credentials': `aws_secret_access_key=${secretOf('aws')}`,
};

export function planted(group: Group): Surroundings {
  const { root, env } = surroundingsOf(group);
  for (const folder of [join(root, group.in ?? ''), env.HOME ?? '']) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    }
  }
  // A server that nobody asks: what takes a key for an order to call reaches nobody.
  const nowhere = Object.fromEntries(
    ['OPENAI', 'GEMINI', 'ANTHROPIC', 'OPENROUTER', 'VLLM', 'LM_STUDIO', 'LLAMA_CPP'].map((name) => [
      `${name}_BASE_URL`,
      'http://127.0.0.1:9/v1',
    ]),
  );
  return {
    root,
    env: { ...Object.fromEntries(names.map((name) => [name, secretOf(name)])), ...nowhere, ...env },
  };
}

/** Files that hold a canary and were not planted so. */
export function leaks({ root, env }: Surroundings): readonly string[] {
  return [root, env.HOME ?? ''].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !Object.keys(files).some((name) => path.endsWith(`/${name}`)))
      .filter((path) => canary.test(readFileSync(path, 'latin1'))),
  );
}

const environment = `import glob, os
print(dict(os.environ))
for path in glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline'):
    try: print(open(path, 'rb').read())
    except OSError: pass
for path in [os.path.expanduser('~/.netrc'), 'keys.txt', '.env']: print(os.path.exists(path))`;

const asking = 'run --family qa --problem question=What? --agent single-call --model openai/gpt-5';

/** Commands that the fixtures do not call, and a program that looks for what it should not find. */
const more: readonly Group[] = [
  {
    name: 'canaries: programs, settings, and what is written for authors',
    files: { 'env.py': environment },
    calls: [
      ...['exec env.py', 'exec env.py --json', 'setup', 'agents', 'families --json', 'init agent mine'],
      ...[
        'init family ours',
        'test nothing.test.ts',
        'agents --export-prompts prompts',
        asking,
        `${asking} --dry-run`,
      ],
      ...['ahc docker build', 'ahc docker run', 'ahc docker cleanup', 'completion bash', 'complete-words ru'],
      ...['trust --yes', 'trust --list', 'config', 'config --json', 'config model', 'config model --unset'],
      // A key in the wrong place is neither told nor kept.
      `config OPENAI_API_KEY ${secretOf('set')}`,
      `config model ${secretOf('set')}`,
      ...[
        'aoc input --site practice --year 2000 --day 1',
        'aoc submit 1 --site practice --year 2000 --day 1',
      ],
    ].map((call) => call.split(' ')),
  },
  {
    name: 'canaries: runs that are stopped, told, kept and checked',
    from: 'tool-loop',
    calls: [
      ...[
        'runs stop run',
        'runs limit run --budget 1',
        'resume run',
        'runs tell run words',
        'runs answer run words',
        'runs export run --format md --out x',
      ],
      ...[
        'runs export run --format files --out y',
        'store check --json',
        'store check --salvage saved',
        'store copy .polya copied',
        'runs list',
      ],
      'runs delete run --yes',
    ].map((call) => call.split(' ')),
  },
  {
    name: 'canaries: proofs',
    from: 'proof-grader',
    calls: [
      'proof score run',
      ...['html', 'md', 'tex'].map((format) => `proof show run --format ${format}`),
    ].map((call) => call.split(' ')),
  },
  {
    name: 'canaries: the page',
    from: 'tool-loop',
    interrupted: true,
    calls: [['view'], ['ahc', 'practice'], ['ahc', 'tell', 'Go faster.']],
  },
  {
    name: 'canaries: a session as files',
    from: 'session',
    in: 'workspace/polya001',
    calls: [['ahc', 'export', 'night', '--out', 'copy', '--json']],
  },
  { name: 'canaries: a fleet of none', from: 'run-set', calls: [['worker'], ['worker', '--list', '--json']] },
  { name: 'canaries: a set that is watched', from: 'run-set', calls: [['run-set', 'watch', 'last']] },
];

export const canaryGroups: readonly Group[] = [...readGroups(), ...more];

/** The commands of the program that no group calls. */
export function commandsWithoutCanary(): readonly string[] {
  const called = canaryGroups.flatMap(({ calls }) => calls.map((argv) => `${argv.join(' ')} `));
  const paths = polyaProgram(apps).commands.map(({ path }) => path);
  return paths.filter((path) => !called.some((call) => call.startsWith(`${path} `)));
}
