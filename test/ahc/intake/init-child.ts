/** Makes a workspace of a bundled contest, without its tools' build: node init-child.ts FOLDER HOME */
import { initContest } from '../../../src/apps/ahc/intake/init.ts';
import { noSandbox } from '../../support/no-sandbox.ts';

const [folder = '', home = ''] = process.argv.slice(2);
try {
  await initContest({
    contest: 'polya002',
    folder,
    env: { HOME: home },
    sandbox: noSandbox,
    confirm: async () => false,
    onProgress: () => undefined,
    clock: { now: () => Date.parse('2027-03-01T00:00:00Z'), sleep: async () => undefined },
    signal: new AbortController().signal,
  });
  process.stdout.write('done\n');
} catch (error) {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
}
