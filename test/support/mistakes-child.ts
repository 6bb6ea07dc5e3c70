/** Loads each of the user's files that are named, one after the other, and prints what was said of it, as JSON. */
import { ExplainedError } from '../../src/core/errors.ts';
import { loadSource } from '../../src/open/user-code/load.ts';

const told: Record<string, string> = {};
for (const file of process.argv.slice(2)) {
  try {
    await loadSource(file, process.env);
    told[file] = 'nothing';
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    const { what, why = '', fix = '' } = error.explanation;
    told[file] = `${error.exitCode}\n${[what, why, fix].join('\n')}`;
  }
}
process.stdout.write(JSON.stringify(told));
