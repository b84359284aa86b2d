// Shell completion scripts. Each script finds the longest command among the words typed so far, and offers its
// subcommands, options or files.

/** The completions after a command, given as the words typed so far (empty: directly after `pdm`). */
export type CompletionContext = {
  prefix: string;
  words: { word: string; description: string }[];
  acceptsFiles: boolean;
};

export const SCRIPTS: Readonly<Record<string, (contexts: readonly CompletionContext[]) => string>> = {
  bash,
  zsh,
  fish,
};

function bash(contexts: readonly CompletionContext[]): string {
  const cases = contexts.map(({ prefix, words, acceptsFiles }) => {
    const offered = quote(words.map(({ word }) => word).join(' '));
    return `    ${quote(prefix)}) offered=${offered}${acceptsFiles ? '; files=1' : ''} ;;`;
  });
  return `_pdm() {
  local word at='' offered='' files='' typed="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${prefixPattern(contexts)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$offered" -- "$typed"))
  if [[ -n $files && $typed != -* ]]; then
    IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$typed"))
  fi
}
complete -F _pdm pdm`;
}

function zsh(contexts: readonly CompletionContext[]): string {
  const cases = contexts.map(({ prefix, words, acceptsFiles }) => {
    const offered = words.map(({ word, description }) => quote(`${word.replaceAll(':', '\\:')}:${description}`));
    return `    ${quote(prefix)}) offered=(${offered.join(' ')})${acceptsFiles ? '; files=1' : ''} ;;`;
  });
  return `_pdm() {
  local word at='' files=''
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${prefixPattern(contexts)}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe pdm offered
  [[ -n $files ]] && _files
}
compdef _pdm pdm`;
}

function fish(contexts: readonly CompletionContext[]): string {
  const lines = contexts.flatMap(({ prefix, words, acceptsFiles }) => {
    const command = `complete -c pdm -n ${quoteForFish(`__pdm_at ${quoteForFish(prefix)}`)}`;
    return [
      ...words.map(({ word, description }) => `${command} -a ${quoteForFish(word)} -d ${quoteForFish(description)}`),
      ...(acceptsFiles ? [`${command} -F`] : []),
    ];
  });
  const commands = contexts.flatMap(({ prefix }) => (prefix ? [quoteForFish(prefix)] : []));
  return `function __pdm_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$at $word")
    contains -- $next ${commands.join(' ')}; and set at $next
  end
  test "$at" = "$argv[1]"
end
complete -c pdm -f
${lines.join('\n')}`;
}

/** A shell pattern that matches every known prefix. */
function prefixPattern(contexts: readonly CompletionContext[]): string {
  return contexts.flatMap(({ prefix }) => (prefix ? [quote(prefix)] : [])).join('|');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function quoteForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
