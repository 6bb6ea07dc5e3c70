/** Which model plays which role, as `--model [role=]M` says it. Pure; whether a model exists is the catalogue's. */
import { UserError } from '../core/errors.ts';

export type ModelChoice = {
  /** For every role without one of its own. */
  readonly default: string | null;
  readonly byRole: Readonly<Record<string, string>>;
};

/**
 * A role is a plain word before the first `=`; a model's own `=` comes after a `/` or `:` and is left alone. The role of a
 * part, `evolution/solver=…`, is told from `provider/na=me` by what follows: a model of a provider or of a kind.
 */
const roleAndModel = /^(?<role>[A-Za-z][\w.-]*|[a-z][\w-]*\/[a-z][\w./-]*(?==[\w.-]+[/:]))=(?<model>.*)$/s;

export function parseModelChoice(values: readonly string[]): ModelChoice {
  let fallback: string | null = null;
  const byRole = new Map<string, string>();
  for (const value of values) {
    const { role, model } = roleAndModel.exec(value)?.groups ?? { model: value };
    if (!model?.trim()) {
      throw new UserError({
        code: 'no-model',
        what: `"${value}" names no model.`,
        fix: 'Write `--model PROVIDER/NAME` or `--model ROLE=PROVIDER/NAME`.',
      });
    }
    if (role === undefined) {
      if (fallback !== null) throw chosenTwice('the default model', fallback, model);
      fallback = model;
    } else {
      const before = byRole.get(role);
      if (before !== undefined) throw chosenTwice(`the model of the role ${role}`, before, model);
      byRole.set(role, model);
    }
  }
  return { default: fallback, byRole: Object.fromEntries(byRole) };
}

function chosenTwice(what: string, before: string, after: string): UserError {
  return new UserError({
    code: 'named-twice',
    what: `${what[0]?.toUpperCase()}${what.slice(1)} is chosen twice: ${before} and ${after}.`,
    fix: 'Give `--model` once for the default and once for each role.',
  });
}
