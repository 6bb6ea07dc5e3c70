/**
 * How steady this machine is just now: the same short work, several times, as many at once as the cases of an evaluation,
 * so that a time near the limit can be judged.
 */
import type { Sandbox } from '../../../core/sandbox.ts';

export type Noise = ReturnType<typeof noiseOf>;

const runs = 8;

/** It looks at no clock: it takes as long as the machine needs. */
const work = `int main() {
  volatile unsigned long long sum = 1;
  for (int step = 0; step < 6000000; step++) sum = sum * 6364136223846793005ULL + 1;
  return 0;
}
`;

export async function measureNoise(
  sandbox: Sandbox,
  jobs: number | undefined,
  signal: AbortSignal,
): Promise<Noise | null> {
  const { executable } = await sandbox.build({ language: 'cpp', source: work }, signal);
  if (!executable) return null;
  const cpu: number[] = [];
  const wall: number[] = [];
  const cases = Array.from({ length: Math.max(runs, 2 * (jobs ?? 1)) }, (_, index) => ({ name: `${index}` }));
  await sandbox.batch(
    { executable, cases, workers: jobs },
    ({ step }) => {
      cpu.push(step.cpuMs);
      wall.push(step.wallMs);
    },
    signal,
  );
  return cpu.length < 2 ? null : noiseOf(cpu, wall);
}

export function noiseOf(cpu: readonly number[], wall: readonly number[]) {
  const [leastMs, mostMs] = [Math.min(...cpu), Math.max(...cpu)];
  return {
    runs: cpu.length,
    leastMs,
    mostMs,
    // On the wall a case waits for its turn on a core as well.
    leastWallMs: Math.min(...wall),
    mostWallMs: Math.max(...wall),
    /** How much more CPU time than the fastest the slowest took, as a part of 1. */
    spread: leastMs > 0 ? mostMs / leastMs - 1 : 0,
  };
}
