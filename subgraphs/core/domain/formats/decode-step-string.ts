/**
 * Decodes a STEP string that was read as Latin-1: doubled quotes, escapes (\X\, \X2\, \X4\, \S\), and raw UTF-8 of ISO
 * 10303-21 edition 3.
 */
export function decodeStepString(raw: string): string {
  const text = decodeUtf8(raw.replaceAll("''", "'").replace(/[\r\n]/g, ''));
  return text.includes('\\') ? text.replace(ESCAPE, decodeEscape).toWellFormed() : text;
}

// Of equal rank, because the backslash that an escaped one ends with starts no other escape: C:\\S\\part.stp
const ESCAPE = /\\\\|\\X2\\([0-9A-Fa-f]*)\\X0\\|\\X4\\([0-9A-Fa-f]*)\\X0\\|\\X\\([0-9A-Fa-f]{2})|\\S\\(.)|\\P[A-I]\\/g;

function decodeEscape(match: string, utf16?: string, utf32?: string, latin1?: string, shifted?: string): string {
  if (match === '\\\\') return '\\';
  if (utf16 !== undefined) return fromHex(utf16, 4);
  if (utf32 !== undefined) return fromHex(utf32, 8);
  if (latin1 !== undefined) return fromHex(latin1, 2);
  return shifted === undefined ? '' : String.fromCharCode(shifted.charCodeAt(0) + 128);
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

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

// Valid UTF-8 sequences are decoded again, other bytes stay Latin-1.
function decodeUtf8(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const decoded = UTF_8.decode(Uint8Array.from(latin1, (byte) => byte.charCodeAt(0)));
  return decoded.includes(REPLACEMENT) ? latin1 : decoded;
}
