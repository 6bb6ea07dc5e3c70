/** How to get what is missing onto this machine. Pure. */
import type { Explanation } from '../core/errors.ts';
import type { missingNeeds } from '../sandbox/needs.ts';

type Missing = Awaited<ReturnType<typeof missingNeeds>>;

export type SetupPlan =
  | { readonly kind: 'nothing' }
  /** In this order. The one that fetches apt's lists may fail; those that install may not. */
  | { readonly kind: 'install'; readonly missing: Missing; readonly commands: readonly (readonly string[])[] }
  | { readonly kind: 'by-hand'; readonly missing: Missing; readonly explanation: Explanation };

export function setupPlan(machine: {
  readonly missing: Missing;
  readonly isRoot: boolean;
  readonly isInteractive: boolean;
  has(program: string): boolean;
}): SetupPlan {
  const { missing, isRoot, isInteractive } = machine;
  if (missing.length === 0) return { kind: 'nothing' };
  const packages = [
    ...new Set(missing.flatMap((need) => (need.kind === 'debian' ? [need.debianPackage] : []))),
  ];
  // As the user who asked: it goes into that user's cache folder.
  const npmCommands = missing.flatMap((need) => (need.kind === 'npm' ? [need.command] : []));
  if (npmCommands.length > 0 && !machine.has('npm')) {
    return { kind: 'by-hand', missing, explanation: noNpm(npmCommands) };
  }
  if (packages.length === 0) return { kind: 'install', missing, commands: npmCommands };
  if (!machine.has('apt-get')) return { kind: 'by-hand', missing, explanation: notDebian(packages) };
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
  if (!isRoot && !machine.has('sudo')) return { kind: 'by-hand', missing, explanation: notRoot(packages) };
  // Without a terminal nobody can type a password: then sudo must not wait for one.
  const sudo = isRoot ? [] : isInteractive ? ['sudo'] : ['sudo', '-n'];
  const quietly = ['env', 'DEBIAN_FRONTEND=noninteractive'];
  return {
    kind: 'install',
    missing,
    commands: [[...sudo, ...quietly, 'apt-get', 'update'], [...sudo, ...quietly, ...install], ...npmCommands],
  };
}

export function packageName(need: Missing[number]): string {
  return need.kind === 'debian' ? need.debianPackage : need.npmPackage;
}

function noNpm(commands: readonly (readonly string[])[]): Explanation {
  return {
    code: 'no-npm',
    what: 'There is no npm on the PATH, so nothing was installed.',
    fix: `Install npm and run \`polya setup\` again, or leave it out with \`polya setup --minimal\`. It would run: ${commands.map((words) => words.join(' ')).join(' && ')}`,
  };
}

function notDebian(packages: readonly string[]): Explanation {
  return {
    code: 'no-apt',
    what: 'This machine has no apt-get, so nothing was installed.',
    why: 'Polya can install by itself on Debian and what descends from it.',
    fix: `Install by hand what Debian calls ${packages.join(', ')}, then run \`polya setup\` again.`,
  };
}

function notRoot(packages: readonly string[]): Explanation {
  return {
    code: 'not-root',
    what: 'Installing needs root, and there is no sudo here; nothing was installed.',
    fix: `As root, run: apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`,
  };
}
