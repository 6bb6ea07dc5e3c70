/** What `--help` adds where an agent is named: its settings, as its schema has them. */
import type { Journals } from '../open/options.ts';
import { fieldsOf } from './agents.ts';
import { settingsText } from './agents-text.ts';
import { partNamed } from './bring.ts';
import type { Shell } from './contract.ts';
import { withPolya } from './journals.ts';

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
