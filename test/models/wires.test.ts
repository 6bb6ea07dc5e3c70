/** Replies as servers of chat completions give them, one case a file in test/data/wires: each is read, cut, refused or failed by its kind. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { z } from 'zod';
import { wireSchema } from './case-server.ts';
import { checkCase, expectationSchema } from './wire-cases.ts';

const folder = join(import.meta.dirname, '../data/wires');
const caseSchema = wireSchema.extend({ about: z.string(), source: z.string(), expect: expectationSchema });

const cases = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => [file, caseSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))] as const);

test.each(cases)('%s', (_file, { expect: expected, ...wire }) => checkCase(wire, expected));
