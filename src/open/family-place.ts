/** What every family that comes with Polya may ask of the outside. */
import type { Clock } from '../core/io.ts';
import type { Environment } from '../io/home.ts';
import type { LocalFiles } from '../io/local-files.ts';

/** Where the families of one Polya live. */
export type FamilyPlace = {
  readonly files: LocalFiles;
  readonly env: Environment;
  readonly home: string;
  readonly clock: Clock;
};
