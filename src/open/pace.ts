/**
 * One pacer for all runs of this process that read the same table of paces.
 */
import { join, resolve } from 'node:path';
import { systemClock } from '../io/clock.ts';
import { configFolder, type Environment } from '../io/home.ts';
import { Pacer } from '../run/pacing/pacer.ts';

export type Pace = { readonly pacer: Pacer; learn(): Promise<void> };

/** One for all runs of this process that read the same table. */
const paces = new Map<string, Pace>();

export function pacedBy(env: Environment, folder: string): Pace {
  const named = env.POLYA_PACE?.trim();
  const path = named ? resolve(folder, named) : join(configFolder(env), 'pace.yaml');
  const known = paces.get(path);
  if (known) return known;
  const pacer = new Pacer({ clock: systemClock });
  const learn = async (): Promise<void> => {
    // Loaded here because only live models are paced, and a script need not pay for the YAML parser.
    const { loadPaces } = await import('../models/paces.ts');
    pacer.learn(await loadPaces({ path, optional: !named }));
  };
  const pace = { pacer, learn };
  paces.set(path, pace);
  return pace;
}
