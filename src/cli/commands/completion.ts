/** `polya completion`: what a shell has to be told to complete commands, options, runs and models. */
import { Argument } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import { programOf } from '../../text/format.ts';
import { type CommandFile, exactly } from '../contract.ts';

/** `NAME complete-words WORDS…` prints an offer a line; without any, the shell offers files. */
const scripts: Readonly<Record<string, (name: string) => string>> = {
  bash: (name) => `_${name.replaceAll('-', '_')}() {
  local IFS=$'\n'
  COMPREPLY=($(${name} complete-words "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _${name.replaceAll('-', '_')} ${name}
`,
  zsh: (name) => `_${name.replaceAll('-', '_')}() {
  local -a offers
  offers=("\${(@f)$(${name} complete-words "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$offers" ]] && compadd -a offers || _files
}
compdef _${name.replaceAll('-', '_')} ${name}
`,
  fish: (
    name,
  ) => `complete -c ${name} -a '(${name} complete-words (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

export const completion: CommandFile = {
  define(command) {
    command
      .addArgument(new Argument('<shell>', 'whose words they are').choices(Object.keys(scripts)))
      .addHelpText(
        'after',
        '\nExamples:\n  polya completion bash >> ~/.bashrc\n  polya completion zsh >> ~/.zshrc\n  polya completion fish > ~/.config/fish/completions/polya.fish',
      );
  },
  async run(shell, command) {
    exactly(shell.out).write(scripts[command.processedArgs[0]]?.(programOf(shell)) ?? '');
    return exitCodes.ok;
  },
};
