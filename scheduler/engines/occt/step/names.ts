/** Returns the first text that is a name and not a default of the system that wrote the file; '' if none is. */
export function firstName(...texts: string[]): string {
  return texts.find((text) => text.trim() && !DEFAULT_NAME.test(text.trim())) ?? '';
}

const DEFAULT_NAME =
  /^(open cascade step translator [\d. ]*|nauo[\d_]*|=>\[[\d:]*\]|next assembly (relationship|usage( occurrence)?)[\s\d()#]*)$/i;

/** Returns the name of a file without its folder and its extension for STEP files. */
export const baseName = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? '').replace(/\.(stpz|stp|step|p21)(\.gz|\.zip)?$/i, '').trim();
