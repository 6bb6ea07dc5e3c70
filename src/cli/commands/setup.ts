/** `polya setup`: installs what the sandbox needs, or builds its image, then proves it with a program of every language. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { exitCodes, UnavailableError } from '../../core/errors.ts';
import type { LanguageId } from '../../core/sandbox.ts';
import type { Journals } from '../../open/options.ts';
import { missingTestNeeds } from '../../open/test-needs.ts';
import { buildImageHere, imageReport } from '../../sandbox/docker/our-images.ts';
import { missingNeeds } from '../../sandbox/needs.ts';
import { oneLine } from '../../text/format.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { withPolya } from '../journals.ts';
import { packageName, rootCommand, type SetupPlan, setupPlan } from '../setup-plan.ts';

type Options = {
  readonly yes?: boolean;
  readonly docker?: boolean;
  /** Another base than Debian 12 by its usual name. */
  readonly dockerBase?: string;
  readonly dockerNetwork?: string;
  readonly minimal?: boolean;
};

export const setup: CommandFile = {
  define(command) {
    command.option('--yes', 'do not ask');
    command.option('--docker', 'build the image of the container back-end, where bubblewrap cannot be had');
    command.option('--docker-base <image>', 'with --docker: build on another image of Debian 12');
    command.option('--docker-network <mode>', 'with --docker: the network to build in, such as host');
    command.option('--minimal', 'only what no run can do without: bubblewrap, g++ and Python');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const isSetUp = await (options.docker ? setUpImage(shell, options) : installMissing(shell, options));
    if (!isSetUp) {
      shell.err.write('Nothing was changed.\n');
      return exitCodes.cancelled;
    }
    return withPolya(shell, (polya) => prove(shell, polya), options.docker ? { backend: 'docker' } : {});
  },
};

/** Both resolve to false where their user does not want it. */
async function installMissing(shell: Shell, { yes, minimal }: Options): Promise<boolean> {
  const lacking = async () => {
    const missing = [...(await missingNeeds()), ...(await missingTestNeeds(shell))];
    return minimal ? missing.filter(({ optional }) => !optional) : missing;
  };
  const plan = planFor(shell, await lacking());
  if (plan.missing.length === 0) {
    shell.out.write('Nothing is missing; nothing was changed.\n');
    return true;
  }
  for (const need of plan.missing) {
    const from = `package ${packageName(need)}, about ${need.megabytes} MB`;
    shell.err.write(`Missing: ${need.executable} (${from}), for ${need.purpose}.\n`);
  }
  if (plan.commands.length > 0) {
    shell.err.write(`This will be run:\n${plan.commands.map((words) => `  ${words.join(' ')}\n`).join('')}`);
    if (!yes && shell.isInteractive && !(await shell.confirm('Install it?', true))) return false;
    await install(shell, plan, lacking);
  }
  if (plan.rest !== null) throw new UnavailableError(plan.rest);
  return true;
}

async function setUpImage(shell: Shell, options: Options): Promise<boolean> {
  const { env, out, err } = shell;
  const { engine, image, state } = await imageReport(env);
  if (state === 'ready') {
    out.write(`${engine} has the image ${image}; nothing was changed.\n`);
    return true;
  }
  err.write(
    `${engine} will build the image ${image}: about 2.5 GB, of which 600 MB are downloaded; it takes some minutes.\n`,
  );
  if (!options.yes && shell.isInteractive && !(await shell.confirm('Build it?', true))) return false;
  if (!options.minimal) await fetchKotlin(shell);
  const onProgress = (line: string) => err.write(`  ${oneLine(line)}\n`);
  await buildImageHere({ base: options.dockerBase, network: options.dockerNetwork, onProgress }, env);
  out.write(`Built: ${image}.\n`);
  return true;
}

/** The image takes Kotlin's compiler from here; without it, it has all other languages. */
async function fetchKotlin(shell: Shell): Promise<void> {
  const plan = planFor(
    shell,
    (await missingNeeds()).filter(({ kind }) => kind === 'npm'),
  );
  if (plan.rest !== null) throw new UnavailableError(plan.rest);
  for (const command of plan.commands) {
    if ((await shell.spawn(command)) === 0) continue;
    throw new UnavailableError({
      code: 'install-failed',
      what: 'Kotlin’s compiler could not be fetched.',
      why: `\`${command.join(' ')}\` failed; its own words are above.`,
      fix: 'Put that right, or leave Kotlin out: `polya setup --docker --minimal`.',
    });
  }
}

function planFor({ isRoot, isInteractive, env }: Shell, missing: SetupPlan['missing']): SetupPlan {
  const dirs = [...(env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/bin', '/bin'];
  const has = (program: string) => dirs.some((folder) => isExecutable(join(folder, program)));
  return setupPlan({ missing, isRoot, isInteractive, has });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws where something is missing afterwards that the plan was to bring. */
async function install(
  shell: Shell,
  { commands, missing: before, rest }: SetupPlan,
  lacking: typeof missingNeeds,
): Promise<void> {
  const upgrades = new Set<unknown>(before.filter((need) => need.isUpgrade).map(packageName));
  let failed: { command: readonly string[]; code: number | null } | null = null;
  for (const command of commands) {
    const code = await shell.spawn(command);
    // Lists that cannot all be fetched may still have what is needed: only the installation itself decides.
    const mayFail = command.includes('update') || upgrades.has(command.at(-1));
    if (code !== 0 && !mayFail) failed ??= { command, code };
  }
  const still = await lacking();
  const missing = still.filter((need) => !need.isUpgrade);
  const existing = new Set(missing.map(({ executable }) => executable));
  const names = new Set(still.map(({ executable }) => executable));
  const installed = before.filter(({ executable }) => !names.has(executable));
  if (installed.length > 0) shell.out.write(`Installed: ${installed.map(packageName).join(', ')}.\n`);
  if (failed === null && (missing.length === 0 || rest !== null)) return;
  const { command, code } = failed ?? { command: commands.at(-1) ?? [], code: 0 };
  const byRoot = command[0] === 'sudo' ? rootCommand(missing) : null;
  throw new UnavailableError({
    code: 'install-failed',
    what: `What is needed could not be installed: ${[...existing].join(', ')}.`,
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

/** That a toolchain lies on the disk proves nothing. */
async function prove(shell: Shell, { world }: Journals): Promise<number> {
  const { sandbox } = world.io;
  const { backend, version, toolchains } = await sandbox.info();
  for (const { language, name, version: toolchain } of toolchains) {
    const source = name === 'g++20' ? usualCpp : proofs[language];
    const program = { language, toolchain: name, source };
    const { run, compile } = await sandbox.exec(program, new AbortController().signal);
    if (run?.stdout.text.trim() !== '42') {
      const text = (compile?.digest || run?.stderr.text)?.slice(0, 300);
      throw new UnavailableError({
        code: 'needed-program-broken',
        what: `A ${language} program by ${name} does not run in the sandbox.`,
        why: text || `It ended with ${run?.verdict ?? compile?.verdict}.`,
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
