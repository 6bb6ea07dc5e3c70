/** Which hosts a run can go to: what it asks of one, what a worker has, and what pins it to where it was begun. Pure. */
import type { Header } from '../../core/event.ts';
import type { RunNeeds, WorkerFacts } from '../../core/fleet.ts';
import type { Brief, Family } from '../../core/problem.ts';
import type { SandboxInfo, Toolchain } from '../../core/sandbox.ts';

export function needsOf({ problem, codeVersion, sandbox, models }: Header): RunNeeds {
  const live = Object.values(models).filter(({ kind }) => kind === 'live');
  return {
    family: problem.family,
    codeVersion,
    isolation: sandbox?.isolation ?? null,
    toolchains: toolchainsIn(sandbox && { toolchains: sandbox.toolchains.filter(isUsed(problem.brief)) }),
    providers: [...new Set(live.map(({ spec }) => providerIn(spec)))],
  };
}

/** The toolchains that the problem names, and Python, in which agents write their own programs. */
function isUsed({ environment }: Brief): (toolchain: Toolchain) => boolean {
  return ({ language, version }) => language === 'python' || environment.includes(version);
}

export function toolchainsIn(sandbox: Pick<SandboxInfo, 'toolchains'> | null): readonly string[] {
  return (sandbox?.toolchains ?? []).map(({ name, version }) => `${name} (${version})`);
}

/** Of slices, as `--only` and the status name it. */
export function kindOf(family: string): string {
  return `${family}-evaluation`;
}

/** The part before the `/` of a model's name. */
function providerIn(spec: string): string {
  return spec.split('/', 1)[0] ?? spec;
}

/** Why a worker cannot take it; null: it can. */
export function unfitBecause(needs: RunNeeds, worker: WorkerFacts): string | null {
  const { family, codeVersion, isolation, toolchains, providers } = needs;
  if (worker.only.length > 0 && !worker.only.includes(family)) return `it takes no runs of ${family}`;
  if (worker.codeVersion !== codeVersion) return `it is Polya ${worker.codeVersion}, and not ${codeVersion}`;
  const provider = providers.find((each) => !worker.providers.includes(each));
  if (provider !== undefined) return `it has no key and no server for ${provider}`;
  if (isolation !== null && isolation !== worker.isolation)
    return `its programs are isolated by ${worker.isolation ?? 'nothing'}, and not by ${isolation}`;
  const lacking = toolchains.find((each) => !worker.toolchains.includes(each));
  return lacking === undefined ? null : `it lacks ${lacking}`;
}

/** Why only this host can go on with a run; null where others can. */
export function pinnedBecause(
  { models, code = [], problem }: Header,
  family: Pick<Family, 'travels'>,
): string | null {
  for (const { spec, kind, baseUrl } of Object.values(models)) {
    if (kind === 'person') return `a person answers here for the model ${spec}`;
    if (/^(?:scripted|replay|replay-matched):/.test(spec)) return `the model ${spec} is a file of this host`;
    if (baseUrl !== undefined && isHere(baseUrl))
      return `the model ${spec} is a server of this host (${baseUrl})`;
  }
  const [own] = code;
  if (own) return `its ${own.brings.join(' and ')} is code of yours on this host (${own.file})`;
  return family.travels
    ? null
    : `problems of the family ${problem.family} keep files or sessions on this host`;
}

function isHere(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');
}
