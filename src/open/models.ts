/** From what a user wrote to a model: scripts that come with Polya, prices, and people who answer. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
import { bundled } from '../io/bundled.ts';
import { configFolder, type Environment } from '../io/home.ts';
import { type ModelConfig, resolveModel } from '../models/catalogue.ts';
import type { ManualModels, ManualOptions } from '../models/manual/manual.ts';
import type { PriceTable } from '../models/tables.ts';
import { type AddressOptions, requireNamedAddress } from './trust/addresses.ts';

/** `scripted/NAME` is one of the scripts that come with Polya; everything else is the catalogue's. */
export async function modelOf(
  spec: string,
  env: Environment,
  {
    baseUrl,
    addresses = {},
    prices = async () => [],
    ...places
  }: {
    readonly folder: string;
    readonly people: ManualModels;
    readonly keyless?: boolean | undefined;
    readonly baseUrl?: string;
    readonly addresses?: AddressOptions | undefined;
    /** Prices in the user's own code; the first one that knows a model counts. */
    readonly prices?: () => Promise<readonly PriceTable[]>;
  },
): Promise<Model> {
  if (baseUrl !== undefined && !places.keyless) await requireNamedAddress({ spec, baseUrl }, env, addresses);
  const bundled = bundledScript(spec);
  const model = await resolveModel(bundled ? `scripted:${bundled}` : spec, {
    env,
    ...places,
    baseUrl,
    priceOf: await pricesFor(spec, env, { folder: places.folder, prices }),
  });
  return bundled ? { ...model, id: spec } : model;
}

/** A server and its schemas are loaded when somebody is to be asked. */
export function lazyManualModels(options: ManualOptions): ManualModels {
  let opened: Promise<ManualModels> | null = null;
  const open = async () => {
    // Loaded here because hardly any run asks a person.
    const { createManualModels: people } = await import('../models/manual/manual.ts');
    return people(options);
  };
  return {
    model: async (...args) => {
      opened ??= open();
      return (await opened).model(...args);
    },
    close: async () => (await opened)?.close(),
  };
}

/** Read anew by each run, the user's first: the file of POLYA_PRICES, `polya.config.ts`, the file among the user's settings. */
async function pricesFor(
  spec: string,
  env: Environment,
  { folder, prices }: { folder: string; prices: () => Promise<readonly PriceTable[]> },
): Promise<ModelConfig['priceOf']> {
  if (/^(scripted[:/]|replay(-matched)?:|manual(:|$))/.test(spec)) return () => null;
  // Loaded here because the YAML parser and the schema cost 60 ms that scripts, replay and `--help` need not pay.
  const { loadPrices } = await import('../models/tables.ts');
  const named = env.POLYA_PRICES?.trim();
  const path = named ? resolve(folder, named) : join(configFolder(env), 'prices.yaml');
  const table = await loadPrices({ path, optional: !named });
  const loaded = await prices();
  const tables = named ? [table, ...loaded] : [...loaded, table];
  const ownPrice = (id: string) => tables.map((each) => each.priceOf(id)).find(Boolean) ?? null;
  if (ownPrice(spec)) return ownPrice;
  // Loaded here because half a megabyte of prices takes 70 ms, and is needed by models alone that may have one.
  const { knownPrice } = await import('../models/known-prices.ts');
  return (id, baseUrl) => ownPrice(id) ?? knownPrice({ id, baseUrl, atMs: Date.now() });
}

const bundledFolder = bundled('scripts');

/** The file of `scripted/NAME`; null where it is no such name. */
function bundledScript(spec: string): string | null {
  const name = /^scripted\/(.*)$/s.exec(spec)?.[1];
  if (name === undefined) return null;
  const names = readdirSync(bundledFolder).flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? []);
  if (names.includes(name)) return join(bundledFolder, `${name}.yaml`);
  throw new UserError({
    code: 'no-such-script',
    what: `No script that comes with Polya is called "${name}".`,
    why: `There are: ${names.toSorted().join(', ')}.`,
    fix: 'For a script of your own, in a file, write `scripted:FILE`.',
  });
}

/** The name under which a model is found again from any folder: the path of a script becomes absolute. */
export function absoluteModelName(spec: string, folder: string): string {
  const path = /^scripted:(.+)$/s.exec(spec)?.[1];
  return path ? `scripted:${resolve(folder, path.trim())}` : spec;
}
