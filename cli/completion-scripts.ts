/** What may be typed behind some words: commands or options, and files. */
export type Words = { behind: string; words: { word: string; says: string }[]; file: boolean };

/** The completion of each shell. All of them find the longest command among what was typed so far, and offer what may follow it. */
export const SCRIPTS: Readonly<Record<string, (all: readonly Words[]) => string>> = { bash, zsh, fish };

function bash(all: readonly Words[]): string {
  const cases = all.map(
    ({ behind, words, file }) =>
      `    ${quoted(behind)}) offered=${quoted(words.map(({ word }) => word).join(' '))}${file ? '; files=1' : ''} ;;`,
  );
  return `_pdm() {
  local word at='' offered='' files='' typed="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
      ${known(all)}) at="\${at:+$at }$word" ;;
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

function zsh(all: readonly Words[]): string {
  const cases = all.map(({ behind, words, file }) => {
    const offered = words.map(({ word, says }) => quoted(`${word.replaceAll(':', '\\:')}:${says}`));
    return `    ${quoted(behind)}) offered=(${offered.join(' ')})${file ? '; files=1' : ''} ;;`;
  });
  return `_pdm() {
  local word at='' files=''
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${known(all)}) at="\${at:+$at }$word" ;;
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

function fish(all: readonly Words[]): string {
  const lines = all.flatMap(({ behind, words, file }) => {
    const at = `complete -c pdm -n ${quotedForFish(`__pdm_at ${quotedForFish(behind)}`)}`;
    return [
      ...words.map(({ word, says }) => `${at} -a ${quotedForFish(word)} -d ${quotedForFish(says)}`),
      ...(file ? [`${at} -F`] : []),
    ];
  });
  const commands = all.flatMap(({ behind }) => (behind ? [quotedForFish(behind)] : []));
  return `function __pdm_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    set -l further (string trim "$at $word")
    contains -- $further ${commands.join(' ')}; and set at $further
  end
  test "$at" = "$argv[1]"
end
complete -c pdm -f
${lines.join('\n')}`;
}

function known(all: readonly Words[]): string {
  return all.flatMap(({ behind }) => (behind ? [quoted(behind)] : [])).join('|');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function quotedForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
