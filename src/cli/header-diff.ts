/** In what the headers of two runs differ, entry by entry. Pure. */
import type { Header } from '../core/event.ts';
import { canonicalJson, type Json } from '../core/json.ts';

export type HeaderDifference = {
  readonly name: string;
  /** Null where that run has no such entry. */
  readonly a: Json;
  readonly b: Json;
};

export function headerDifferences(a: Header, b: Header): HeaderDifference[] {
  const [entriesA, entriesB] = [entriesOf(a), entriesOf(b)];
  const names = [...new Set([...Object.keys(entriesA), ...Object.keys(entriesB)])];
  return names
    .map((name) => ({ name, a: entriesA[name] ?? null, b: entriesB[name] ?? null }))
    .filter((entry) => canonicalJson(entry.a) !== canonicalJson(entry.b));
}

function entriesOf(header: Header): Record<string, Json> {
  const { runId, problem, agent, models, limits, prompts, sandbox, seed, codeVersion, retry, code = [] } = header;
  return {
    problem: problem.id,
    'problem content': problem.contentHash,
    ...prefixed('problem', problem.reference),
    agent: agent.name,
    ...prefixed('setting', agent.settings),
    ...Object.fromEntries(Object.entries(models).map(([role, { spec }]) => [`model ${role}`, spec])),
    ...Object.assign(
      {},
      ...Object.entries(models).map(([role, { settings = {} }]) => prefixed(`model ${role}`, settings)),
    ),
    ...prefixed('limit', limits),
    ...prefixed('prompt', prompts),
    ...prefixed('retry', retry),
    sandbox: sandbox && `${sandbox.backend} ${sandbox.version}`,
    ...Object.fromEntries(
      (sandbox?.toolchains ?? []).map(({ language, version, level }) => [
        `toolchain ${language}`,
        `${version} ${level}`.trim(),
      ]),
    ),
    // Who names none gets his run's id.
    seed: seed === runId ? null : seed,
    polya: codeVersion,
    ...Object.fromEntries(
      code.flatMap(({ file, hash, brings }) => brings.map((part) => [`code of the ${part}`, `${file} ${hash}`])),
    ),
  };
}

function prefixed(prefix: string, entries: object): Record<string, Json> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${prefix} ${name}`, value]));
}
