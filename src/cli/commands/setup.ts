/**
 * `polya setup`: installs what the sandbox needs, through apt-get and npm, and proves it by running a program of every
 * language in it. It says what it will do before it does it, and does nothing where nothing is missing.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, UnavailableError } from '../../core/errors.ts';
import type { LanguageId, Sandbox } from '../../core/sandbox.ts';
import { missingTestNeeds } from '../../open/test-needs.ts';
import { missingNeeds } from '../../sandbox/needs.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { withPolya } from '../journals.ts';
import { type ImageOptions, setUpImage } from '../setup-image.ts';
import { packageName, rootCommand, type SetupPlan, setupPlan } from '../setup-plan.ts';

export const setup: CommandFile = {
  define(command: Command) {
    command.option('--yes', 'do not ask');
    command.option('--docker', 'build the image of the container back-end, where bubblewrap cannot be had');
    command.option('--docker-base <image>', 'with --docker: build on another image of Debian 12');
    command.option('--docker-network <mode>', 'with --docker: the network to build in, such as host');
    command.option('--minimal', 'only what no run can do without: bubblewrap, g++ and Python');
  },
  async run(shell, command) {
    const options = command.opts<ImageOptions & { docker?: boolean }>();
    if (options.docker) {
      const isSetUp = await setUpImage(shell, options, (program) => isOnPath(shell, program));
      if (!isSetUp) return exitCodes.cancelled;
      return withPolya(shell, ({ world }) => prove(shell, world.io.sandbox), { backend: 'docker' });
    }
    const lacking = () => lackingHere(shell, Boolean(options.minimal));
    const plan = setupPlan({
      missing: await lacking(),
      isRoot: shell.isRoot,
      isInteractive: shell.isInteractive,
      has: (program) => isOnPath(shell, program),
    });
    if (!(await carryOut(shell, plan, { isYes: Boolean(options.yes), lacking }))) return exitCodes.cancelled;
    return withPolya(shell, ({ world }) => prove(shell, world.io.sandbox));
  },
};

async function lackingHere(shell: Shell, isMinimal: boolean) {
  const missing = [...(await missingNeeds()), ...(await missingTestNeeds(shell))];
  return isMinimal ? missing.filter(({ optional }) => !optional) : missing;
}

type Order = { readonly isYes: boolean; lacking(): ReturnType<typeof missingNeeds> };

/** False where its user does not want it. */
async function carryOut(shell: Shell, plan: SetupPlan, { isYes, lacking }: Order): Promise<boolean> {
  if (plan.missing.length === 0) {
    shell.out.write('Nothing is missing; nothing was changed.\n');
    return true;
  }
  for (const need of plan.missing) {
    const size = `about ${need.megabytes} MB`;
    shell.err.write(
      `Missing: ${need.executable} (package ${packageName(need)}, ${size}), for ${need.purpose}.\n`,
    );
  }
  const commands = plan.commands.map((words) => words.join(' '));
  if (commands.length > 0) {
    shell.err.write(`This will be run:\n${commands.map((line) => `  ${line}\n`).join('')}`);
    if (!isYes && shell.isInteractive && !(await shell.confirm('Install it?', true))) {
      shell.err.write('Nothing was changed.\n');
      return false;
    }
    await install(shell, plan, lacking);
  }
  if (plan.rest !== null) throw new UnavailableError(plan.rest);
  return true;
}

/** Throws where something is missing afterwards that the plan was to bring. */
async function install(
  shell: Shell,
  { commands, missing: before, rest }: SetupPlan,
  lacking: Order['lacking'],
): Promise<void> {
  let failed: { command: readonly string[]; code: number | null } | null = null;
  for (const command of commands) {
    const code = await shell.spawn(command);
    // Lists that cannot all be fetched may still have what is needed: only the installation itself decides.
    if (code !== 0 && !command.includes('update')) failed ??= { command, code };
  }
  const missing = await lacking();
  const installed = before.filter((need) =>
    missing.every(({ executable }) => executable !== need.executable),
  );
  if (installed.length > 0) shell.out.write(`Installed: ${installed.map(packageName).join(', ')}.\n`);
  if (failed === null && (missing.length === 0 || rest !== null)) return;
  const { command, code } = failed ?? { command: commands.at(-1) ?? [], code: 0 };
  const byRoot = command[0] === 'sudo' ? rootCommand(missing) : null;
  throw new UnavailableError({
    code: 'install-failed',
    what: `What is needed could not be installed: ${missing.map(({ executable }) => executable).join(', ')}.`,
    why: `\`${command.join(' ')}\` ended with ${code ?? 'nothing'}; its own words are above.`,
    fix: `Put that right and run \`polya setup\` again${byRoot === null ? '' : `, or let root run: ${byRoot}`}.`,
  });
}

const proofs: Readonly<Record<LanguageId, string>> = {
  python: 'print(6 * 7)',
  cpp: '#include <cstdio>\nint main() { std::printf("%d\\n", 6 * 7); }',
  kotlin: 'fun main() = println(6 * 7)',
  rust: 'fn main() { println!("{}", 6 * 7); }',
  csharp: 'class Proof { static void Main() { System.Console.WriteLine(6 * 7); } }',
};

/** With the header that is compiled ahead where a program wants it: most want it, and this compiler. */
const usualCpp = proofs.cpp.replace('<cstdio>', '<bits/stdc++.h>');

/** What merely lies on the disk proves nothing. */
async function prove(shell: Shell, sandbox: Sandbox): Promise<number> {
  const { backend, version, toolchains } = await sandbox.info();
  for (const { language, name, version: toolchain } of toolchains) {
    const { signal } = new AbortController();
    const source = name === 'g++20' ? usualCpp : proofs[language];
    const program = { language, toolchain: name, source };
    const { run, compile } = await sandbox.exec(program, signal);
    if (run?.stdout.text.trim() !== '42') {
      throw new UnavailableError({
        code: 'needed-program-broken',
        what: `A ${language} program by ${name} does not run in the sandbox.`,
        why:
          (compile?.digest || run?.stderr.text)?.slice(0, 300) ||
          `It ended with ${run?.verdict ?? compile?.verdict}.`,
        fix: 'See `polya doctor`.',
      });
    }
    shell.out.write(
      `The sandbox (${backend} ${version}) has run a ${language} program with ${toolchain} (${name}).\n`,
    );
  }
  shell.out.write(`Ready. Try ${shell.calledAs} demo.\n`);
  return exitCodes.ok;
}

function isOnPath({ env }: Shell, program: string): boolean {
  const folders = [...(env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/bin', '/bin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
