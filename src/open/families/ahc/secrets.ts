/** Keys that stand in files as they are: who may read those files. */
import { statSync } from 'node:fs';
import { type ConfigValue, configKeys } from '../../../families/ahc/config/keys.ts';
import type { Layer } from '../../../families/ahc/config/layer.ts';

export function holdsPlainSecret(values: ReadonlyMap<string, ConfigValue>): boolean {
  return configKeys.some(({ path, isSecret }) => isSecret && isPlain(values.get(path) ?? null));
}

/** Not a variable to be looked up later. */
export function isPlain(value: ConfigValue): boolean {
  return typeof value === 'string' && !/^\$\{\w+\}$/.test(value);
}

/** With a warning where others on this machine can read a key. */
export function withSecretWarning(file: string, layer: Layer): Layer {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0 || !holdsPlainSecret(layer.values)) return layer;
  const warning = `${file} holds a key in plain text, and others can read it: run \`chmod 600 ${file}\`, or write '\${NAME}' instead.`;
  return { ...layer, warnings: [...layer.warnings, warning] };
}
