/** Finds the hooks of the app that a run, or the rows of a set, belong to. */
import type { Header } from '../core/event.ts';
import type { SetPlan } from '../studies/run-set/plan.ts';
import type { App, AppHooks, Shell } from './contract.ts';

/** A run of no app, or of an app without hooks, has none. */
export async function hooksFor(
  { apps }: Pick<Shell, 'apps'>,
  header: Pick<Header, 'problem'> | null,
): Promise<AppHooks> {
  const app = apps.find(({ families }) => header !== null && families.includes(header.problem.family));
  return (await app?.hooks?.()) ?? {};
}

/** Those of each app that has a row in it. */
export function hooksForSet({ apps }: Pick<Shell, 'apps'>, { rows }: SetPlan): Promise<readonly AppHooks[]> {
  const isMeant = ({ families }: App) => rows.some(({ family }) => families.includes(family));
  return Promise.all(apps.filter(isMeant).map(async (app) => (await app.hooks?.()) ?? {}));
}
