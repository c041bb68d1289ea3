import { defineCommand } from '../command.js';
import { EXIT } from '../exit.js';

const SHELLS = ['bash', 'zsh'] as const;
type Shell = (typeof SHELLS)[number];

/**
 * Both scripts ask the command for completions, so they are always up to date. A candidate may be a stranger's text:
 * the scripts compare and quote it, and never expand it as `compgen -W` does.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# mcp-codegen completions for bash
_mcp_codegen_completions() {
  local current="\${COMP_WORDS[COMP_CWORD]}" candidates each
  candidates=$(SHELL=bash ZSH_NAME= mcp-codegen --get-yargs-completions "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
  COMPREPLY=()
  while IFS= read -r each; do
    [[ -n $each && $each == "$current"* ]] && COMPREPLY+=("$each")
  done <<<"$candidates"
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _mcp_codegen_completions mcp-codegen
`,
  zsh: `# mcp-codegen completions for zsh
_mcp_codegen() {
  local -a candidates
  candidates=("\${(@f)$(SHELL=bash ZSH_NAME= mcp-codegen --get-yargs-completions "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then
    compadd -- "\${candidates[@]}"
  else
    _files
  fi
}
compdef _mcp_codegen mcp-codegen
`,
};

export const completionCommand = defineCommand({
  examples: [
    ['completion bash >> ~/.bashrc', 'for bash'],
    ['completion zsh >> ~/.zshrc', 'for zsh'],
  ],
  positionals: {
    shell: { demandOption: true, choices: SHELLS },
  },
  options: {},
  run: ({ shell }) => {
    const script = SCRIPTS[shell];
    return { exitCode: EXIT.done, data: { shell, script }, text: () => script };
  },
});
