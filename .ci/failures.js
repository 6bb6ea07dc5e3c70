// What failed in a part of the CI, a line each: `node .ci/failures.js RESULTS`. RESULTS is what vitest wrote as JSON. The
// whole output is too long to be kept everywhere; these lines stand at its end.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, status, message, assertionResults } of testResults) {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  for (const { fullName, failureMessages } of failed)
    tell(`${file} > ${fullName}`, failureMessages.join('\n'));
  if (status === 'failed' && failed.length === 0) tell(file, message);
}

function tell(what, why) {
  console.log(`FAILED ${what}`);
  const lines = why.split('\n').filter((line) => !line.includes('/node_modules/'));
  for (const line of lines.slice(0, 25)) console.log(`  ${line.slice(0, 400)}`);
}
