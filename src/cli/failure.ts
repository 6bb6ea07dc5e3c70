/** What went wrong, told to a person in a few lines and to programs as an exit code. A stack is never shown unasked. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { ExplainedError, type Explanation, errorOf, exitCodes } from '../core/errors.ts';
import { changeStrings } from '../core/json.ts';
import { findSecrets } from '../core/secrets.ts';
import { createSecretRedactor } from '../models/redact.ts';
import { placeOf } from '../open/user-code/guard.ts';
import { asCalled, escapedJson, programOf } from '../text/format.ts';
import { exactly, print, type Shell } from './contract.ts';
import { descriptorError } from './descriptors.ts';

type Failure = Explanation & { readonly exitCode: number };

/**
 * Tells it, and returns the exit code. With `--json` standard output gets its one document all the same; `areLines`: as a line
 * below those that were printed before.
 */
export function printFailure(shell: Shell, error: unknown, isJson: boolean, areLines = false): number {
  const clean = createSecretRedactor(findSecrets({ ...process.env, ...shell.env }));
  const { exitCode, ...explanation } = changeStrings(failureOf(shell, errorOf(error)), clean);
  const lines = [explanation.what, explanation.why, explanation.fix].filter(Boolean).map(String);
  const [first = '', ...rest] = lines.map((line) => asCalled(line, shell).trim().replaceAll('\n', '\n    '));
  shell.err.write(`${shell.err.paint('bad', `${programOf(shell)}:`)} ${first}\n`);
  for (const line of rest) shell.err.write(`  ${line}\n`);
  if (isJson && areLines) exactly(shell.out).write(`${escapedJson({ error: explanation, exitCode })}\n`);
  else if (isJson) print(shell.out, { error: explanation, exitCode });
  return exitCode;
}

function failureOf(shell: Shell, error: Error): Failure {
  if (error instanceof ExplainedError) return { ...error.explanation, exitCode: error.exitCode };
  if (error instanceof CommanderError) return usageFailure(error);
  const exhausted = descriptorError(error);
  if (exhausted) return { ...exhausted.explanation, exitCode: exhausted.exitCode };
  return internalFailure(error, Boolean(shell.env.POLYA_DEBUG));
}

function usageFailure({ message }: CommanderError): Failure {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const what = `${first[0]?.toUpperCase() ?? ''}${first.slice(1)}`;
  return {
    code: 'usage',
    what: /[.?!]$/.test(what) ? what : `${what}.`,
    why: rest.length > 0 ? rest.join(' ') : undefined,
    fix: 'Add --help to see how the command is used.',
    exitCode: exitCodes.usage,
  };
}

function internalFailure(error: Error, isDebugging: boolean): Failure {
  const { message, stack = message } = error;
  const place = placeOf(error);
  return {
    code: 'defect',
    what: `${place ? `${place} throws` : 'This is a defect of Polya'}: ${message.split('\n')[0]}`,
    why: isDebugging ? stack : `The stack is in ${keep(stack)}.`,
    fix: place
      ? 'It was thrown where nothing awaits it. A run that was at work can be gone on with: `polya runs resume ID`.'
      : 'Please report it with that stack.',
    exitCode: exitCodes.bug,
  };
}

function keep(stack: string): string {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'polya-defect-')), 'stack.txt');
    writeFileSync(file, `${stack}\n`, { mode: 0o600 });
    return file;
  } catch {
    return 'nothing that could be written: set POLYA_DEBUG=1 to see it';
  }
}
