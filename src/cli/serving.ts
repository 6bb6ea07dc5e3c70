/** What commands share that serve something until Ctrl-C. */
import { InvalidArgumentError } from 'commander';
import type { Shell } from './contract.ts';
import { wholeNumber } from './options.ts';

/** Resolves when its user wants it to end. */
export function interrupted(shell: Shell): Promise<void> {
  return new Promise((resolve) => {
    const release = shell.onInterrupt(() => {
      release();
      resolve();
    });
  });
}

export function portNumber(value: string): number {
  const number = wholeNumber(0)(value);
  if (number < 65_536) return number;
  throw new InvalidArgumentError('It must be below 65536.');
}
