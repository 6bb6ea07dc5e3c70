/** Why the user's code cannot be used: what, why and what to do. It shows no stack and no value of a secret variable. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ExplainedError, errorOf, UserError } from '../../core/errors.ts';
import { removedAgent } from '../../core/removed.ts';
import { secretsIn } from '../../core/secrets.ts';
import type { Environment } from '../../io/home.ts';
import { redact } from '../../models/redact.ts';
import { isOfUser } from './imports.ts';

const ownForm =
  'Write `export default defineAgent({ … })`, `export default defineFamily({ … })`, or `export default { agents: […], families: […] }`; `polya init agent NAME` writes one that works.';

export function missingFile(file: string): UserError {
  const whole = ['.ts', '.mts', '.js', '.mjs']
    .map((ending) => file + ending)
    .find((path) => existsSync(path));
  return new UserError({
    code: 'user-code-missing',
    what: `There is no file ${file}.`,
    why: whole && `Did you mean ${whole}?`,
    fix: 'Name a TypeScript file that exports an agent or a family; `polya init agent NAME` writes one.',
  });
}

/** A folder, a pipe, or a file that is named like no module. */
export function noCode(file: string): UserError {
  return new UserError({
    code: 'user-code-no-file',
    what: `${file} is no file of TypeScript or JavaScript.`,
    why: 'Its name must end in .ts, .mts, .cts, .js, .mjs or .cjs, and it must be a regular file.',
    fix: 'Name the file that exports the agent or the family; in a folder, name the file in it.',
  });
}

/** What Node threw while it loaded the file. */
export function notLoaded(
  file: string,
  thrown: unknown,
  { env, exportsOfPolya }: { readonly env: Environment; readonly exportsOfPolya: readonly string[] },
): UserError {
  const error = errorOf(thrown);
  const say = (text: string): string => redact(text, secretsIn({ ...process.env, ...env })).slice(0, 600);
  if (error instanceof ExplainedError) {
    const { what, why, fix } = error.explanation;
    return new UserError({
      code: 'user-code-unfit',
      what: `${file} cannot be used.`,
      why: say([what, why].filter(Boolean).join(' ')),
      fix: fix ?? 'Correct what is named.',
    });
  }
  const message = error.message.split('\n')[0] ?? '';
  const code = 'code' in error ? String(error.code) : '';
  const place = placeOf(error) ?? file;
  const misspelled = /does not provide an export named '([^']+)'/.exec(message)?.[1];
  if (misspelled !== undefined) return misspelledImport(place, { message, misspelled, exportsOfPolya });
  if (/^ERR_(INVALID|UNSUPPORTED)_TYPESCRIPT_SYNTAX$/.test(code) || error instanceof SyntaxError) {
    return new UserError({
      code: 'user-code-syntax',
      what: `${place} is no TypeScript that can be run.`,
      why: say(`${message}.`),
      fix: /not supported in strip-only mode/.test(message)
        ? 'Node takes types away and translates nothing: write it without enum, namespace and parameter properties.'
        : 'Correct the line.',
    });
  }
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT') {
    return new UserError({
      code: 'user-code-import',
      what: `${file} imports what is not there.`,
      why: say(`${message}.`),
      fix: "Write relative paths with their ending (`./words.ts`), and install packages beside the file; 'polya' and 'zod' are always there.",
    });
  }
  return new UserError({
    code: 'user-code-throws',
    what: `${place} throws when it is loaded.`,
    why: say(/[.?!]$/.test(message) ? message : `${message}.`),
    fix: 'Correct it. A module should only define things: what asks, reads or computes belongs into `solve` or `load`.',
  });
}

export function neverLoaded(file: string): UserError {
  return new UserError({
    code: 'user-code-waits',
    what: `${file} waits for something that never comes, and was not loaded.`,
    why: 'An `await` outside of any function does not end.',
    fix: 'Move it into `solve` or `load`.',
  });
}

export function noDefault(file: string, named: readonly string[]): UserError {
  return new UserError({
    code: 'user-code-no-default',
    what: `${file} has no default export.`,
    why: named.length > 0 ? `It exports ${named.join(', ')}.` : 'It exports nothing.',
    fix: named.length === 1 ? `Add \`export default ${named[0]};\`.` : ownForm,
  });
}

/** `problem` is a sentence about the content of the file. */
export function unfit(file: string, problem: string, fix = ownForm): UserError {
  return new UserError({ code: 'user-code-unfit', what: `${file} cannot be used.`, why: problem, fix });
}

export function namedTwice(file: string, noun: string, name: string): UserError {
  return new UserError({
    code: 'user-code-twice',
    what: `${file} has two ${noun === 'family' ? 'families' : `${noun}s`} named ${name}.`,
    why: 'A run names them, and must find the one that is meant.',
    fix: 'Give one of them another name.',
  });
}

export function namedLikeOurs(file: string, noun: string, name: string): UserError {
  return new UserError({
    code: 'user-code-built-in',
    what: `${file} has ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} named ${name}, and one of that name comes with Polya.`,
    why: 'Journals that were made with one of them would be gone on with by the other.',
    fix: 'Give yours another name.',
  });
}

/** The name that was most likely meant, or none. */
export function meant(wrong: string, right: readonly string[]): string | undefined {
  const near = right.map((name) => ({ name, far: distance(wrong.toLowerCase(), name.toLowerCase()) }));
  const [best] = near.toSorted((a, b) => a.far - b.far);
  return best && best.far <= Math.max(1, Math.floor(wrong.length / 3)) ? best.name : undefined;
}

/** `names`: those that there are. `canBring`: a file of the user's would be taken too. */
export function noSuch(
  noun: 'agent' | 'family',
  name: string,
  names: readonly string[],
  canBring = true,
): UserError {
  const instead = noun === 'agent' ? removedAgent(name) : null;
  const right = meant(name, names);
  const howToBring = canBring
    ? ` One of your own is named by its file (\`--${noun} ./${name || 'mine'}.ts\`), or in polya.config.ts.`
    : '';
  return new UserError({
    code: `no-such-${noun}`,
    what: `There is no ${noun} ${name}${instead === null ? '' : ' any more'}.`,
    why: right && `Did you mean ${right}?`,
    fix: instead ?? `There are: ${names.join(', ')}.${howToBring}`,
  });
}

function misspelledImport(
  place: string,
  found: { message: string; misspelled: string; exportsOfPolya: readonly string[] },
): UserError {
  const { message, misspelled, exportsOfPolya } = found;
  const from = /module '([^']+)'/.exec(message)?.[1] ?? 'a module';
  const right = from === 'polya' ? meant(misspelled, exportsOfPolya) : undefined;
  return new UserError({
    code: 'user-code-import',
    what: `${place} imports ${misspelled} from '${from}', which exports nothing of that name.`,
    fix: right ? `Did you mean ${right}?` : 'Correct the name. A type is imported with `import type`.',
  });
}

/** The line in the user's own code: at the head of a syntax error's stack, or in the first frame that is the user's. */
export function placeOf({ stack = '' }: Pick<Error, 'stack'>): string | undefined {
  const [head = '', ...frames] = stack.split('\n');
  const atHead = /^(?:file:\/\/)?(\/.*):(\d+)$/.exec(head);
  if (atHead) return `${decodeURI(atHead[1] ?? '')}:${atHead[2]}`;
  for (const frame of frames) {
    const [, url = '', line] = /(file:\/\/[^\s)]+?):(\d+)(?::\d+)?\)?$/.exec(frame) ?? [];
    if (isOfUser(url)) return `${fileURLToPath(url)}:${line}`;
  }
  return undefined;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let earlier: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const now = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const change = (before[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      // Two letters that changed places are one mistake.
      const isSwap = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      const swap = isSwap ? (earlier[at - 2] ?? 0) + 1 : change;
      now.push(Math.min(change, swap, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1));
    }
    [earlier, before] = [before, now];
  }
  return before[b.length] ?? 0;
}
