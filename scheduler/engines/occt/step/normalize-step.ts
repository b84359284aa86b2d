/**
 * Normalizes a STEP file written by the kernel: encodes names in ASCII with \X2\ sequences, which every reader
 * supports, and replaces FILE_NAME with a fixed time, so that equal products give equal bytes.
 */
export function normalizeStep(bytes: Buffer, name: string, time: string): Buffer {
  const text = toAscii(bytes.toString('utf8'));
  const from = text.indexOf('FILE_NAME(');
  const to = text.indexOf('FILE_SCHEMA', from);
  const stamp = new Date(time).toISOString().slice(0, 19);
  const fileName = `FILE_NAME(${quote(name)},'${stamp}',(''),(''),'Open CASCADE 8.0','PDM geometry engine','');\n`;
  return Buffer.from(text.slice(0, from) + fileName + text.slice(to), 'latin1');
}

/** Returns a string of a STEP file in ASCII. */
export const quote = (name: string) =>
  `'${toAscii(
    name
      .replace(/\p{Cc}/gu, ' ')
      .replaceAll('\\', '\\\\')
      .replaceAll("'", "''"),
  )}'`;

function toAscii(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, (run) => {
    let hex = '';
    for (let i = 0; i < run.length; i++) hex += run.charCodeAt(i).toString(16).toUpperCase().padStart(4, '0');
    return `\\X2\\${hex}\\X0\\`;
  });
}
