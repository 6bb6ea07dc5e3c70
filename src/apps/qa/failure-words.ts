/** Why a sample has no answer, in words. Pure. */

const words: Readonly<Record<string, string>> = {
  program: 'no program worked',
  'no-answer': 'no answer was found in the reply',
  steps: 'all steps were taken',
  refused: 'the model refused',
  model: 'the model failed',
  limit: 'a limit was reached',
  unavailable: 'the provider or the sandbox was not there',
};

export function failureWords(reason: string): string {
  return words[reason] ?? reason;
}
