/** Values for tests of the configuration. */
import { type ConfigValue, configKeys } from '../../src/families/ahc/config/keys.ts';

/** Two other values for each key that differ from each other and from the built-in one. */
export function valuesOf(path: string): readonly [ConfigValue, ConfigValue] {
  const own: Record<string, readonly [ConfigValue, ConfigValue]> = {
    'docker.mount_path': ['/a', '/b'],
    'sandbox.backend': ['docker', 'bubblewrap'],
    'contest.direction': ['maximise', 'minimise'],
    'contest.scoring': ['absolute', 'relative'],
    'logging.level': ['DEBUG', 'ERROR'],
    'evolution.mutation_prompts': [['a {code_snippet}'], ['b']],
    'evolution.crossover_prompts': [['a {code_A}'], ['b']],
  };
  const known = own[path];
  if (known) return known;
  const { schema } = configKeys.find((each) => each.path === path) ?? {};
  if (schema?.safeParse(0.5).success) return [0.5, 0.25];
  if (schema?.safeParse(3).success) return [3, 4];
  if (schema?.safeParse(true).success) return [false, true];
  return ['one', 'two'];
}
