/**
 * `polya proof verify`: the grader alone on a proof that its user brings. Errors and gaps are listed with the words that they are
 * about, and the line of the file where these stand.
 */
import type { Command } from 'commander';
import type { CommandFile } from '../../../cli/contract.ts';
import { launchRun } from '../../../cli/launch.ts';
import {
  callLimit,
  type JudgingOptions,
  judgingOptions,
  judgingSettings,
  proofReference,
} from '../options.ts';
import type { ProofReport } from '../report.ts';
import { printProof, proofCode, warnLinesInCode } from '../tell.ts';

type Options = JudgingOptions & { readonly problem?: string };

const modelAdvice =
  'With `--model manual` you grade it yourself: no key is needed. `polya demo proof` shows a proof that is checked.';

export const proofVerify: CommandFile = {
  define(command: Command) {
    command
      .argument('<problem>', 'the problem: text or Markdown with TeX (docs/proof.md)')
      .argument('<proof>', 'the proof, in a file of its own')
      .option('--problem <number|name>', 'which problem of the file');
    judgingOptions(command).addHelpText(
      'after',
      '\nExamples:\n  polya proof verify examples/proofs/odd-squares.md examples/proofs/odd-squares-wrong.md --model scripted/proof-check\n  polya proof verify problem.md proof.tex --graders 3 --rubric rubric.yaml --model openai/NAME',
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const [file, proof] = command.processedArgs as [string, string];
    const { problem, rubric } = options;
    await warnLinesInCode(shell, file);
    const proofReports: ProofReport[] = [];
    const code = await launchRun(shell, options, {
      family: 'proof',
      problem: proofReference(shell, file, { proof, problem, rubric }),
      agent: 'proof-grader',
      settings: judgingSettings(options),
      limits: callLimit(options),
      modelAdvice,
      tell: async (result, polya) => {
        proofReports.push(await printProof(shell, polya, result, options));
      },
    });
    return proofReports.reduce((before, report) => proofCode(report, before), code);
  },
};
