/** Decodes a STEP string: doubled quotes, escapes (\X\, \X2\, \X4\, \S\), and raw UTF-8 of ISO 10303-21 edition 3. */
export function decodeString(raw: string): string {
  const text = decodeUtf8(raw.replaceAll("''", "'").replace(/[\r\n]/g, ''));
  if (!text.includes('\\')) return text;
  return text
    .replace(/\\X2\\([0-9A-Fa-f]*)\\X0\\/g, (_, hex: string) => fromHex(hex, 4))
    .replace(/\\X4\\([0-9A-Fa-f]*)\\X0\\/g, (_, hex: string) => fromHex(hex, 8))
    .replace(/\\X\\([0-9A-Fa-f]{2})/g, (_, hex: string) => fromHex(hex, 2))
    .replace(/\\P[A-I]\\/g, '')
    .replace(/\\S\\(.)/g, (_, character: string) => String.fromCharCode(character.charCodeAt(0) + 128))
    .replaceAll('\\\\', '\\')
    .toWellFormed();
}

const REPLACEMENT = '\ufffd';

function fromHex(hex: string, digits: number): string {
  let text = '';
  for (let at = 0; at + digits <= hex.length; at += digits)
    text += character(Number.parseInt(hex.slice(at, at + digits), 16), digits);
  return text;
}

// \X2\ contains UTF-16, where surrogates combine. In \X4\, surrogates and code points above U+10FFFF are invalid.
function character(code: number, digits: number): string {
  if (digits <= 4) return String.fromCharCode(code);
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? REPLACEMENT : String.fromCodePoint(code);
}

// The file was decoded as Latin-1; valid UTF-8 sequences are decoded again, other bytes stay Latin-1.
function decodeUtf8(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const decoded = Buffer.from(latin1, 'latin1').toString('utf8');
  return decoded.includes(REPLACEMENT) ? latin1 : decoded;
}
