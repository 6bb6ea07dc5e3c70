/** `polya init agent NAME`, `polya init family NAME`: copies a small example with its test. It overwrites nothing. */
import {
  closeSync,
  existsSync,
  globSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { exitCodes, UnavailableError, UserError } from '../../core/errors.ts';
import { bundled, packageFolder } from '../../io/bundled.ts';
import { agentLoaders } from '../../open/agents.ts';
import { familyLoaders } from '../../open/families.ts';
import { findActingFiles } from '../../open/trust/acting-files.ts';
import { requireOwn, trustOwnFiles } from '../../open/trust/trust.ts';
import { registerHook } from '../../open/user-code/imports.ts';
import { systemReason } from '../../text/system-reason.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { requireTrustFor } from '../trusted.ts';

type Kind = {
  readonly noun: 'agent' | 'family';
  readonly taken: readonly string[];
  /** Options of `polya run` that try it, behind its file. */
  readonly tryIt: string;
};

export const initAgent = initCommand({
  noun: 'agent',
  taken: Object.keys(agentLoaders),
  tryIt: '--family qa --problem question="What is 6 times 7?" --problem answer=42 --model manual',
});

export const initFamily = initCommand({
  noun: 'family',
  taken: Object.keys(familyLoaders),
  tryIt: '--problem a=6 --problem b=7 --agent single-call --model manual',
});

function initCommand(kind: Kind): CommandFile {
  return {
    define(command) {
      command.argument(
        '<name>',
        'lower-case letters, digits and hyphens: NAME.ts, NAME.test.ts and tsconfig.json are written',
      );
    },
    async run({ folder, env, out, err, calledAs }, command) {
      const { noun } = kind;
      const name: string = command.processedArgs[0];
      refuseName(kind, name);
      writeNew(folder, noun, name);
      trustOwnFiles(folder, [`${name}.test.ts`], env);
      out.write(`${name}.ts\n${name}.test.ts\n`);
      if (writeTypes(folder)) out.write('tsconfig.json\n');
      const list = noun === 'agent' ? 'agents' : 'families';
      const steps = [
        ['its test', `${calledAs} test ${name}.test.ts`],
        ['try it', `${calledAs} run --${noun} ./${name}.ts ${kind.tryIt}`],
        ['settings', `${calledAs} ${list} ${name} --${noun} ./${name}.ts`],
      ] as const;
      for (const [what, how] of steps) err.write(`${err.paint('faint', what.padEnd(8))}  ${how}\n`);
      err.write('With its name in polya.config.ts, every command knows it (docs/your-own.md).\n');
      return exitCodes.ok;
    },
  };
}

function refuseName({ noun, taken }: Kind, name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 64) {
    throw new UserError({
      code: 'no-name',
      what: `"${name}" is no name of ${noun === 'agent' ? 'an agent' : 'a family'}.`,
      why: 'A name has lower-case letters, digits and hyphens, begins with a letter, and has up to 64 characters.',
      fix: 'Choose one such as two-tries.',
    });
  }
  if (!taken.includes(name)) return;
  throw new UserError({
    code: 'name-taken',
    what: `${noun === 'agent' ? 'An agent' : 'A family'} named ${name} comes with Polya.`,
    fix: 'Choose another name.',
  });
}

/** For editors and `tsc`: what `polya` and `zod` are here. False where the folder has such a file, or a package of its own. */
function writeTypes(folder: Shell['folder']): boolean {
  const path = join(folder, 'tsconfig.json');
  if (existsSync(path) || existsSync(join(folder, 'node_modules', 'polya'))) return false;
  const isClone = import.meta.filename.endsWith('.ts');
  const placeOf = (name: string) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    typeRoots: [dirname(placeOf('@types/node'))],
    paths: {
      polya: [join(packageFolder, ...(isClone ? ['src', 'index.ts'] : ['dist', 'index.d.ts']))],
      zod: [placeOf('zod')],
    },
  };
  writeFileSync(path, `${JSON.stringify({ compilerOptions }, null, 2)}\n`, { flag: 'wx' });
  return true;
}

/** Both files or neither: if the second cannot be written, the first is removed. */
function writeNew(folder: Shell['folder'], noun: Kind['noun'], name: string): void {
  const endings = ['.ts', '.test.ts'] as const;
  const existing = endings.map((ending) => `${name}${ending}`).find((file) => existsSync(join(folder, file)));
  if (existing !== undefined) {
    throw new UserError({
      code: 'file-in-the-way',
      what: `${existing} is there already; nothing was written.`,
      fix: 'Choose another name, or move the file away.',
    });
  }
  const outputs: string[] = [];
  try {
    for (const ending of endings) {
      const template = readFileSync(bundled('init', `my-${noun}${ending}`), 'utf8');
      const path = join(folder, `${name}${ending}`);
      const file = openSync(path, 'wx');
      outputs.push(path);
      writeSync(file, template.replaceAll(`my-${noun}`, name));
      closeSync(file);
    }
  } catch (error) {
    for (const path of outputs) rmSync(path, { force: true });
    throw new UserError({
      code: 'cannot-write',
      what: `The files cannot be written to ${folder}.`,
      why: systemReason(error),
      fix: 'Go to a folder that is yours.',
    });
  }
}

export const test: CommandFile = {
  define(command) {
    command.argument('[files...]', 'the tests; default: all *.test.ts at and below this folder');
  },
  async run(shell, command) {
    const files: readonly string[] = command.processedArgs[0] ?? [];
    const missing = files.find((file) => !/[*?{]/.test(file) && !existsSync(resolve(shell.folder, file)));
    if (missing !== undefined) {
      throw new UserError({
        code: 'no-such-test',
        what: `There is no file ${join(shell.folder, missing)}.`,
        fix: 'Name a test; `polya init agent NAME` writes one.',
      });
    }
    for (const file of files) requireOwn(resolve(shell.folder, file), shell.env);
    const tests = files.length > 0 ? files : await trustedTests(shell);
    const code = await shell.spawn([process.execPath, '--import', registerHook, '--test', ...tests]);
    if (code === null) {
      throw new UnavailableError({ code: 'no-node', what: 'Node could not be started.' });
    }
    return code === 0 ? exitCodes.ok : exitCodes.unsolved;
  },
};

/** Those of the folder, which nobody has named: each is asked about when it is new or has changed. */
async function trustedTests(shell: Shell): Promise<readonly string[]> {
  const found = globSync('**/*.test.{ts,mts,cts,js,mjs,cjs}', {
    cwd: shell.folder,
    exclude: ['**/node_modules/**'],
  });
  if (found.length === 0)
    throw new UserError({
      code: 'no-such-test',
      what: `There is no test at or below ${shell.folder}.`,
      fix: 'Name a test; `polya init agent NAME` writes one.',
    });
  await requireTrustFor(shell, [findActingFiles(shell.folder, found)]);
  return found;
}
