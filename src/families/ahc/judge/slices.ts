/**
 * An evaluation in slices of cases, for any host that fits: the source, which each host builds for its own processor, the built
 * tool that scores or talks, the inputs and the limits; of the workspace nothing else. It knows no hosts: where a result is
 * missing, all of it is evaluated here.
 */
import { z } from 'zod';
import type { Json } from '../../../core/json.ts';
import type { Executable, Sandbox } from '../../../core/sandbox.ts';
import type { Elsewhere, Slice, SlicePlace } from '../../../core/slices.ts';
import { contestSchema } from '../workspace.ts';
import {
  buildWhole,
  builtTool,
  decidingTool,
  type Evaluated,
  type EvaluateOptions,
  evaluate,
  type OnJudged,
  solutionProgram,
  type TestCase,
} from './evaluate.ts';
import { inTurn, type Queue } from './turns.ts';
import { caseVerdicts } from './verdict.ts';

export type AnywhereOptions = EvaluateOptions & {
  /** Absent: there are no other hosts. */
  readonly elsewhere?: Elsewhere;
  /** Whether so many cases will do. */
  isEnough?(done: number): boolean;
};

/** What is known before the first slice comes back. */
type Prepared = Awaited<ReturnType<typeof prepare>>;

export async function evaluateAnywhere(
  sandbox: Sandbox,
  options: AnywhereOptions,
  onJudged: OnJudged,
  signal: AbortSignal,
): Promise<Evaluated> {
  const { elsewhere, files, language = 'cpp' } = options;
  // A project in Rust has crates that other hosts may lack.
  if (!elsewhere || files || language !== 'cpp') return evaluate(sandbox, options, onJudged, signal);
  const known: { prepared?: Prepared } = {};
  const sliced = await elsewhere.do(
    {
      family: 'ahc',
      languages: decidingTool(options) === null ? ['cpp'] : ['cpp', 'rust'],
      async slices(most) {
        known.prepared = await prepare(sandbox, options, most, signal);
        return known.prepared.slices;
      },
      isEnough(come) {
        const done = known.prepared?.shares.filter((_, at) => come[at]).flat();
        return options.isEnough?.(done?.length ?? 0) ?? false;
      },
    },
    signal,
  );
  const { prepared } = known;
  if (!prepared) return evaluate(sandbox, options, onJudged, signal);
  const { built, cases, shares } = prepared;
  if (!built.compiled) return { ...built, cases: [] };
  const found = sliced && readResults(sliced.results, shares);
  if (!found) return evaluate(sandbox, { ...options, cases }, onJudged, signal);
  const { results: _, ...ran } = sliced;
  const inputs = new Map(cases.map(({ name, input }) => [name, input]));
  for (const { judged, output, said } of found)
    await onJudged(judged, { input: inputs.get(judged.name) ?? '', output, said, ...ran });
  const judged = found.map((each) => each.judged).sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ...built, cases: judged };
}

/** `shares`: the cases of each slice. */
async function prepare(sandbox: Sandbox, options: AnywhereOptions, most: number, signal: AbortSignal) {
  const { turns, compileTimeoutMs, contest, caseTimeoutMs, source } = options;
  const cases: TestCase[] = [];
  for await (const each of options.cases) cases.push(each);
  const { executable, ...about } = await inTurn({ turns, signal }, () =>
    buildWhole(sandbox, solutionProgram(options, compileTimeoutMs), signal),
  );
  const built = { ...about, compiled: executable !== null };
  const shares = executable ? inShares(cases, most) : [];
  const isJudged = shares.length > 0 && decidingTool(options) !== null;
  const tool = isJudged ? await builtTool({ sandbox, options, signal }) : null;
  const common = { source: encoder.encode(source), ...(tool ? { tool: tool.bytes } : {}) };
  const slices = shares.map((share) => ({
    body: {
      ...{ contest, compileTimeoutMs, caseTimeoutMs, names: share.map(({ name }) => name) },
      tool: tool && { language: tool.language, toolchain: tool.toolchain },
    },
    files: {
      ...common,
      ...Object.fromEntries(share.map(({ name, input }) => [`in/${name}`, encoder.encode(input)])),
    },
  }));
  return { cases, shares, built, slices };
}

function inShares<T>(values: readonly T[], most: number): readonly (readonly T[])[] {
  const count = Math.min(values.length, most);
  const first = (share: number): number => Math.floor((share * values.length) / count);
  return Array.from({ length: count }, (_, at) => values.slice(first(at), first(at + 1)));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const bodySchema = z.object({
  contest: contestSchema,
  ...{ compileTimeoutMs: z.number(), caseTimeoutMs: z.number(), names: z.array(z.string()) },
  tool: z.object({ language: z.literal('rust'), toolchain: z.string() }).nullable(),
});

const resultSchema = z.object({
  cases: z.array(
    z.object({
      judged: z.object({
        ...{ name: z.string(), input: z.string(), numbers: z.array(z.number()) },
        ...{ verdict: z.enum(caseVerdicts), score: z.number().nullable(), message: z.string() },
        ...{ cpuMs: z.number(), wallMs: z.number(), memoryBytes: z.number() },
      }),
      output: z.string(),
      said: z.string(),
    }),
  ),
});

type SliceResult = z.infer<typeof resultSchema>;

/** Null where a slice came back without all of its cases. */
function readResults(
  results: readonly (Json | undefined)[],
  shares: Prepared['shares'],
): SliceResult['cases'] | null {
  const found: SliceResult['cases'] = [];
  for (const [at, share] of shares.entries()) {
    if (results[at] === undefined) continue;
    const { cases } = resultSchema.parse(results[at]);
    const names = new Set(cases.map(({ judged }) => judged.name));
    if (share.some(({ name }) => !names.has(name))) return null;
    found.push(...cases);
  }
  return found;
}

type SliceParts = Pick<EvaluateOptions, 'hashText' | 'isBusy'> & { readonly queue: Queue };

/** As a whole evaluation would be done here: late cases are run again alone, beside no other slice of this process. */
export async function doSlice(
  { queue, ...parts }: SliceParts,
  { body, files }: Slice,
  { sandbox, atOnce }: SlicePlace,
  signal: AbortSignal,
): Promise<Json> {
  const { names, tool, ...asked } = bodySchema.parse(body);
  const file = (name: string): Uint8Array => {
    const bytes = files[name];
    if (!bytes) throw new Error(`The slice has no file ${name}.`);
    return bytes;
  };
  const given: Executable | null = tool && { ...tool, files: {}, bytes: file('tool') };
  const options: EvaluateOptions = {
    ...{ ...asked, ...parts, source: decoder.decode(file('source')), jobs: 1, turns: queue.enter(atOnce) },
    ...(given ? { crate: {}, tool: given } : { crate: null }),
    cases: names.map((name) => ({ name, input: decoder.decode(file(`in/${name}`)) })),
  };
  const cases: SliceResult['cases'] = [];
  const { compiled, compile } = await evaluate(
    sandbox,
    options,
    (judged, { output, said }) => {
      cases.push({ judged: { ...judged, numbers: [...judged.numbers] }, output, said });
    },
    signal,
  );
  signal.throwIfAborted();
  if (!compiled) throw new Error(`It does not compile on this host: ${compile?.digest ?? ''}`);
  return { cases };
}
