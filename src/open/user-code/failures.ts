/** Why the user's code cannot be used: what, why and what to do. It shows no stack and no value of a secret variable. */
import { ExplainedError, errorOf, UserError } from '../../core/errors.ts';
import { removedAgent } from '../../core/removed.ts';
import { findSecrets } from '../../core/secrets.ts';
import type { Environment } from '../../io/home.ts';
import { redact } from '../../models/redact.ts';
import { nearestOf } from '../../text/nearest.ts';
import { placeOf } from './guard.ts';

export const exampleOfExport =
  'Write `export default defineAgent({ … })`, `export default defineFamily({ … })`, or `export default { agents: […], families: […] }`; `polya init agent NAME` writes one that works.';

/** `why` is a sentence about the content of the file. */
export function invalidExport(file: string, why: string, fix = exampleOfExport): UserError {
  return new UserError({ code: 'user-code-unfit', what: `${file} cannot be used.`, why, fix });
}

/** What Node threw while it loaded the file. */
export function notLoaded(
  file: string,
  thrown: unknown,
  { env, exportsOfPolya }: { readonly env: Environment; readonly exportsOfPolya: readonly string[] },
): UserError {
  const error = errorOf(thrown);
  const clean = (text: string): string => redact(text, findSecrets({ ...process.env, ...env })).slice(0, 600);
  if (error instanceof ExplainedError) {
    const { what, why, fix } = error.explanation;
    return invalidExport(file, clean([what, why].filter(Boolean).join(' ')), fix ?? 'Correct what is named.');
  }
  const message = error.message.split('\n')[0] ?? '';
  const code = 'code' in error ? String(error.code) : '';
  const place = placeOf(error) ?? file;
  const misspelled = /does not provide an export named '([^']+)'/.exec(message)?.[1];
  if (misspelled !== undefined) {
    const from = /module '([^']+)'/.exec(message)?.[1] ?? 'a module';
    const right = from === 'polya' ? nearestOf(misspelled, exportsOfPolya) : null;
    return new UserError({
      code: 'user-code-import',
      what: `${place} imports ${misspelled} from '${from}', which exports nothing of that name.`,
      fix: right ? `Did you mean ${right}?` : 'Correct the name. A type is imported with `import type`.',
    });
  }
  if (/^ERR_(INVALID|UNSUPPORTED)_TYPESCRIPT_SYNTAX$/.test(code) || error instanceof SyntaxError) {
    return new UserError({
      code: 'user-code-syntax',
      what: `${place} is no TypeScript that can be run.`,
      why: clean(`${message}.`),
      fix: /not supported in strip-only mode/.test(message)
        ? 'Node takes types away and translates nothing: write it without enum, namespace and parameter properties.'
        : 'Correct the line.',
    });
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT') {
    return new UserError({
      code: 'user-code-import',
      what: `${file} imports what is not there.`,
      why: clean(`${message}.`),
      fix: "Write relative paths with their ending (`./words.ts`), and install packages beside the file; 'polya' and 'zod' are always there.",
    });
  }
  return new UserError({
    code: 'user-code-throws',
    what: `${place} throws when it is loaded.`,
    why: clean(/[.?!]$/.test(message) ? message : `${message}.`),
    fix: 'Correct it. A module should only define things: what asks, reads or computes belongs into `solve` or `load`.',
  });
}

/** `names`: those that there are. `canBring`: a file of the user's would be taken too. */
export function notFoundError(
  noun: 'agent' | 'family',
  name: string,
  names: readonly string[],
  canBring = true,
): UserError {
  const instead = noun === 'agent' ? removedAgent(name) : null;
  const right = nearestOf(name, names);
  const howToBring = canBring
    ? ` One of your own is named by its file (\`--${noun} ./${name || 'mine'}.ts\`), or in polya.config.ts.`
    : '';
  return new UserError({
    code: `no-such-${noun}`,
    what: `There is no ${noun} ${name}${instead === null ? '' : ' any more'}.`,
    why: right ? `Did you mean ${right}?` : undefined,
    fix: instead ?? `There are: ${names.join(', ')}.${howToBring}`,
  });
}
