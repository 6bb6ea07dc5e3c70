/** What of this machine decides whether programs of another run on it, and whether their times compare. */
import { cpus } from 'node:os';
import { z } from 'zod';
import type { SandboxInfo } from '../../core/sandbox.ts';

/** As the machine names it: `AMD EPYC 7B13`. */
export function processorHere(): string {
  return cpus()[0]?.model.trim() || process.arch;
}

const report = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) });
let library: string | null = null;

/** Stands beside the toolchains of a host: what was built with one C library need not run with another. */
export function platformIn({ backend }: Pick<SandboxInfo, 'backend'>): string {
  if (library === null) {
    // Else it looks up the name of each open connection.
    Object.assign(process.report ?? {}, { excludeNetwork: true });
    const told = report.safeParse(process.report?.getReport());
    library = `glibc ${told.data?.header.glibcVersionRuntime ?? 'none'}`;
  }
  return `${backend} (${library}, ${process.arch})`;
}
