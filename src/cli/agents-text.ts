/** Agents and families for people. Pure. */
import type { Journals } from '../open/options.ts';
import type { Painter } from '../text/paint.ts';
import { formatLabeledValues, type LabeledValue, table } from '../text/table.ts';
import { type AgentFacts, type Facts, type FamilyFacts, type Field, type Fit, fieldsOf } from './agents.ts';
import { partNamed } from './bring.ts';
import type { Shell } from './contract.ts';
import { withPolya } from './journals.ts';

type Output = { readonly paint: Painter };

const legend = '`*`: some of its problems only; `?`: it does not say.';

export function agentsText(output: Output, { agents }: Facts): string {
  const rows = agents.map((agent) => [
    ...[agent.name, needsText(agent), agent.roles.join(', '), fitting(agent.fits), agent.file ?? ''],
  ]);
  const made = table(output, ['agent', 'needs', 'roles', 'runs on', ownHead(agents)], rows);
  return `${made}Details and settings: \`polya agents NAME\`. ${legend}\n`;
}

export function needsText({ needs, needsOneOf }: Pick<AgentFacts, 'needs' | 'needsOneOf'>): string {
  const oneOf = needsOneOf.length === 0 ? [] : [needsOneOf.join(' or ')];
  return [...needs, ...oneOf].join(', ') || 'nothing';
}

/** Agents against families: `✓`, or what is missing. */
export function matrixText(output: Output, { agents, families }: Facts): string {
  const rows = agents.map(({ name, fits, missing }) => [
    name,
    ...families.map((family) => {
      const fit = fits[family.name] ?? 'unknown';
      return fit === 'none' ? `no ${(missing[family.name] ?? []).join(', ')}` : `✓${marks[fit]}`;
    }),
  ]);
  const lines = table(output, ['agent', ...families.map(({ name }) => name)], rows);
  return `${lines}\`no NAME\`: what its problems lack. ${legend}\n`;
}

export function familiesText(output: Output, { families }: Facts): string {
  const rows = families.map((family) => [
    ...[family.name, offersText(family), fitting(family.fits), family.file ?? ''],
  ]);
  const made = table(output, ['family', 'offers', 'agents', ownHead(families)], rows);
  return `${made}How a problem is named: \`polya families NAME\`. ${legend}\n`;
}

export function agentText(output: Output, agent: AgentFacts): string {
  const summary = headed(output, agent, [
    ['needs', needsText(agent)],
    ['roles', agent.roles.join(', ')],
    ['runs on', fitting(agent.fits) || 'no family that is here'],
    ['prompts', agent.prompts.join(', ') || 'none'],
  ]);
  return `${summary}\n${settingsText(output, agent)}`;
}

/** As `--help` has it, too. */
function settingsText(output: Output, { name, settings }: Pick<AgentFacts, 'name' | 'settings'>): string {
  if (settings.length === 0) return `${name} has no settings.\n`;
  const heading = output.paint('strong', `Settings of ${name}`);
  return `${heading}, for \`--agent-setting NAME=VALUE\`:\n${fieldsTable(output, settings)}`;
}

export function familyText(output: Output, family: FamilyFacts): string {
  const summary = headed(output, family, [
    ['offers', offersText(family)],
    ['agents', fitting(family.fits) || 'no agent that is here'],
  ]);
  const forms = family.problem.map((fields) => fieldsTable(output, fields)).join('or\n');
  const problem = forms
    ? `${output.paint('strong', 'A problem')}, for \`--problem NAME=VALUE\`:\n${forms}`
    : 'The family does not say how its problems are named.\n';
  return `${summary}\n${problem}`;
}

export function offersText({ offers, mayOffer }: Pick<FamilyFacts, 'offers' | 'mayOffer'>): string {
  if (offers === null) return 'what each problem says';
  const some = mayOffer.map((name) => `${name}*`);
  return [...offers, ...some].join(', ') || 'a statement';
}

function ownHead(found: readonly { readonly file: string | null }[]): string {
  return found.some(({ file }) => file !== null) ? 'file' : '';
}

function headed(
  output: Output,
  { name, file }: AgentFacts | FamilyFacts,
  entries: readonly LabeledValue[],
): string {
  const lines = formatLabeledValues(output, [['from', file ?? 'Polya'], ...entries], 10);
  return `${output.paint('strong', name)}\n${lines}`;
}

const marks: Readonly<Record<Fit, string>> = { all: '', some: '*', unknown: '?', none: '' };

function fitting(match: Readonly<Record<string, Fit>>): string {
  return Object.entries(match)
    .flatMap(([name, fit]) => (fit === 'none' ? [] : [`${name}${marks[fit]}`]))
    .join(', ');
}

function fieldsTable(output: Output, fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, required, default: value, description }) => {
    const defaultValue = required ? 'must be given' : value === null ? '' : JSON.stringify(value);
    return [name, type, defaultValue, description];
  });
  return table(output, ['name', 'type', 'default', ''], rows).replaceAll(/^(?=.)/gm, '  ');
}

/** Empty where none is named. */
export async function settingsHelp(shell: Shell, argv: readonly string[]): Promise<string> {
  const at = argv.indexOf('--agent');
  const joined = argv.find((word) => word.startsWith('--agent='))?.slice('--agent='.length);
  const agent = at < 0 ? joined : argv[at + 1];
  if (agent === undefined) return '';
  const { name, files } = await partNamed(shell, 'agent', agent);
  const work = async ({ world }: Journals): Promise<string> => {
    const { settings } = await world.agent(name);
    return `\n${settingsText(shell.out, { name, settings: fieldsOf(settings).flat() })}`;
  };
  return withPolya(shell, work, { code: { files } });
}
