/** How to get what is missing onto this machine. Pure. */
import type { Explanation } from '../core/errors.ts';
import type { missingNeeds } from '../sandbox/needs.ts';

type Missing = Awaited<ReturnType<typeof missingNeeds>>;

export type SetupPlan = ReturnType<typeof setupPlan>;

type MachineInfo = {
  readonly missing: Missing;
  readonly isRoot: boolean;
  readonly isInteractive: boolean;
  has(program: string): boolean;
};

/** `commands`: in order; fetching apt's lists may fail, and so may upgrades. `rest`: how to get what they do not bring, or null. */
export function setupPlan(machine: MachineInfo) {
  const { missing, isRoot, isInteractive } = machine;
  const packages = debianPackagesOf(missing);
  const missingNeeds = missing.filter((need) => !need.isUpgrade);
  const needed = debianPackagesOf(missingNeeds);
  // Run as the user who asked, because it goes into that user's cache folder.
  const npmCommands = missing.flatMap((need) => (need.kind === 'npm' ? [need.command] : []));
  const mayApt = packages.length > 0 && machine.has('apt-get') && (isRoot || machine.has('sudo'));
  // Without a terminal no password can be typed: then sudo must not wait for one.
  const sudo = isRoot ? [] : isInteractive ? ['sudo'] : ['sudo', '-n'];
  const apt = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  const install = (some: readonly string[]) =>
    some.length > 0 ? [[...apt, ...installArguments, ...some]] : [];
  // Apart from the others, because these may fail.
  const upgrades = packages.filter((name) => !needed.includes(name));
  const aptCommands = [[...apt, 'update'], ...install(needed), ...install(upgrades)];
  const commands = [...(mayApt ? aptCommands : []), ...(machine.has('npm') ? npmCommands : [])];
  return { missing, commands, rest: restOf(needed, npmCommands, { ...machine, missing: missingNeeds }) };
}

const installArguments = ['install', '-y', '--no-install-recommends'];

function debianPackagesOf(missing: Missing): readonly string[] {
  return [...new Set(missing.flatMap((need) => (need.kind === 'debian' ? [need.debianPackage] : [])))];
}

export function packageName(need: Missing[number]): string {
  return need.kind === 'debian' ? need.debianPackage : need.npmPackage;
}

/** What root has to run for these needs; null where they need no root. */
export function rootCommand(missing: Missing): string | null {
  const packages = debianPackagesOf(missing);
  if (packages.length === 0) return null;
  return `apt-get update && apt-get ${[...installArguments, ...packages].join(' ')}`;
}

function restOf(
  packages: readonly string[],
  npmCommands: readonly (readonly string[])[],
  { missing, isRoot, has }: MachineInfo,
): Explanation | null {
  if (packages.length > 0 && !has('apt-get')) {
    return {
      code: 'no-apt',
      what: `This machine has no apt-get, so these were not installed: ${packages.join(', ')}.`,
      why: 'Polya can install by itself on Debian and what descends from it.',
      fix: 'Install by hand what Debian calls so, then run `polya setup` again.',
    };
  }
  const command = rootCommand(missing);
  if (command !== null && !isRoot && !has('sudo')) {
    return {
      code: 'not-root',
      what: `These need root, and there is no sudo here, so they were not installed: ${packages.join(', ')}.`,
      fix: `Root has to run: ${command}`,
    };
  }
  if (npmCommands.length === 0 || has('npm')) return null;
  return {
    code: 'no-npm',
    what: 'There is no npm on the PATH, so what comes from npm was not installed.',
    fix: `Install npm and run \`polya setup\` again, or leave it out with \`polya setup --minimal\`. It would run: ${npmCommands.map((words) => words.join(' ')).join(' && ')}`,
  };
}
