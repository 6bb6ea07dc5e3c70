/** `polya models mock`: a server that speaks the wires of all providers, until Ctrl-C. */
import { exitCodes } from '../../core/errors.ts';
import { serveModels } from '../../open/serve-models.ts';
import { faults as modelServerFaults } from '../../practice/models/conduct.ts';
import { type CommandFile, print } from '../contract.ts';
import { interrupted } from '../interruption.ts';
import { portNumber, wholeNumber } from '../options.ts';

type Options = {
  readonly port?: number;
  readonly script?: string;
  readonly role?: string;
  readonly fault?: string;
  readonly every?: number;
  readonly firstByte?: number;
  readonly json?: boolean;
};

export const modelsMock: CommandFile = {
  define(command) {
    command
      .option('--port <number>', 'where to serve it (default: any free port)', portNumber)
      .option('--script <file>', 'what it answers, as `scripted:FILE` has it (default: an echo)')
      .option('--role <name>', 'the role of the script that answers (default: solver)')
      .option('--fault <name>', `misbehave: ${Object.keys(modelServerFaults).join(', ')}`)
      .option('--every <number>', 'misbehave at every Nth request only', wholeNumber(1))
      .option('--first-byte <ms>', 'keep silent for so long before each reply', wholeNumber(0))
      .option('--json', 'print where it is as JSON');
  },
  async run(shell, command) {
    const { json, firstByte: firstByteMs, ...choice } = command.opts<Options>();
    const server = await serveModels({
      folder: shell.folder,
      ...choice,
      firstByteMs,
      onRequest: ({ number, wire, fault }) =>
        shell.err.write(`${number} ${wire}${fault === null ? '' : ` (${fault})`}\n`),
    });
    try {
      const end = interrupted(shell);
      const env = variablesFor(server.url);
      const lines = Object.entries(env).map(([name, value]) => `  export ${name}=${value}\n`);
      const text = `The server of models is at ${server.url}\n${lines.join('')}`;
      print(shell.out, json ? { url: server.url, env } : text);
      shell.err.write('Ctrl-C ends it. Nothing of it is a real model.\n');
      await end;
    } finally {
      await server.close();
    }
    return exitCodes.ok;
  },
};

function variablesFor(url: string) {
  return {
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_BASE_URL: `${url}/v1`,
    GEMINI_BASE_URL: `${url}/v1beta`,
    OLLAMA_HOST: url,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
  };
}
