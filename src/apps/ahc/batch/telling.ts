/** The end of a batch told: its page and table as files, and the same on standard output, whatever became of the files. */

import type { Shell } from '../../../cli/contract.ts';
import { tellFailure } from '../../../cli/failure.ts';
import { writeFiles } from '../../../cli/safe-write.ts';
import { ExplainedError } from '../../../core/errors.ts';
import { harmlessJson } from '../../../text/format.ts';
import { batchPage } from './page.ts';
import { type BatchResult, resultCsv, resultJson, resultText } from './result.ts';

export type ResultFiles = { readonly csv: string; readonly page: string; readonly force: boolean };

export type TellingOptions = { readonly json?: boolean; readonly csv?: boolean };

/** An exit code where the files could not be written. */
export function tellBatch(
  shell: Shell,
  { json, csv }: TellingOptions,
  result: BatchResult,
  files: ResultFiles,
): number | undefined {
  const { out } = shell;
  const trouble = writeResults(result, files);
  if (json) {
    const told = { csv: files.csv, page: files.page, trouble: trouble?.explanation ?? null };
    out.write(`${harmlessJson({ ...resultJson(result), files: told }, 2)}\n`);
  } else if (csv) out.write(resultCsv(result));
  else
    out.write(`${resultText(out, result)}${trouble ? '' : `\nCharts: ${files.page}\nTable: ${files.csv}\n`}`);
  return trouble ? tellFailure(shell, trouble, false) : undefined;
}

/** A disk that is full by now must not keep from its user what was paid for: what is wrong is told beside it. */
function writeResults(result: BatchResult, { csv, page, force }: ResultFiles): ExplainedError | null {
  const files = [
    { path: csv, text: resultCsv(result) },
    { path: page, text: batchPage(result) },
  ];
  try {
    writeFiles(files, { force });
    return null;
  } catch (error) {
    if (error instanceof ExplainedError) return error;
    throw error;
  }
}
