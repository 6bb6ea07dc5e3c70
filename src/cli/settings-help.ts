/** What `--help` adds where an agent is named: its settings, as its schema has them. */
import { fieldsOf } from './agents.ts';
import { settingsText } from './agents-text.ts';
import { partNamed } from './bring.ts';
import type { Shell } from './contract.ts';
import { withPolya } from './journals.ts';

/** Empty where none is named. */
export async function settingsHelp(shell: Shell, argv: readonly string[]): Promise<string> {
  const agent = agentIn(argv);
  if (agent === undefined) return '';
  const { name, files } = await partNamed(shell, 'agent', agent);
  const work = async ({ world }: Parameters<Parameters<typeof withPolya>[1]>[0]): Promise<string> => {
    const { settings } = await world.agent(name);
    return `\n${settingsText(shell.out, { name, settings: fieldsOf(settings).flat() })}`;
  };
  return withPolya(shell, work, { code: { files } });
}

function agentIn(argv: readonly string[]): string | undefined {
  const at = argv.indexOf('--agent');
  return at < 0 ? argv.find((each) => each.startsWith('--agent='))?.slice('--agent='.length) : argv[at + 1];
}
