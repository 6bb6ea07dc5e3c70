/** What only the tests need of the machine: a clone lists it in `test/needs.json`, which the package does not have. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageFolder } from '../io/bundled.ts';
import { type MissingNeed, missingExecutable } from '../sandbox/needs.ts';

export const testNeedsFile = join(packageFolder, 'test', 'needs.json');

const shape = z.array(
  z.strictObject({
    executable: z.string(),
    debianPackage: z.string(),
    megabytes: z.number(),
    purpose: z.string(),
    /** The tests that need it are left out for an ordinary user. */
    onlyForRoot: z.boolean().optional(),
  }),
);

export async function missingTestNeeds({ isRoot }: { isRoot: boolean }): Promise<readonly MissingNeed[]> {
  if (!existsSync(testNeedsFile)) return [];
  const needs = shape.parse(JSON.parse(readFileSync(testNeedsFile, 'utf8')));
  const own = needs.filter(({ onlyForRoot = false }) => isRoot || !onlyForRoot);
  const looked = own.map(({ onlyForRoot: _, ...need }) => missingExecutable({ kind: 'debian', ...need }));
  return (await Promise.all(looked)).flat();
}
