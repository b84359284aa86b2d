/**
 * The text of a STEP file as Latin-1 or UTF-8 bytes in a string, converted or as in the file. `unreadable`: names are in
 * an unknown encoding.
 */
export type FileText = { text: string; isConverted: boolean; unreadable: boolean };

const SAMPLE_LENGTH = 65_536;
const HIGH_RUN = /[\x80-\xff]+/g;
const STRING_WITH_HIGH_BYTES = /'[^'\n]{0,500}[\x80-\xff][^'\n]{0,500}/g;

/**
 * Decodes a STEP file. The standard allows ASCII and UTF-8; older systems wrote names in the code page of the user. If
 * the names are in Shift-JIS, GBK or Windows-1251, the text is converted to UTF-8.
 */
export function decodeFile(bytes: Buffer): FileText {
  const text = bytes.toString('latin1');
  if (!/[\x80-\xff]/.test(text)) return { text, isConverted: false, unreadable: false };
  let sample = '';
  for (const [part] of text.matchAll(STRING_WITH_HIGH_BYTES)) {
    sample += `${part}\n`;
    if (sample.length > SAMPLE_LENGTH) break;
  }
  if (decodes('utf-8', sample)) return { text, isConverted: false, unreadable: false };
  const encoding = detectEncoding(sample);
  if (encoding === 'latin1') return { text, isConverted: false, unreadable: false };
  if (!encoding || !decodes(encoding, text)) return { text, isConverted: false, unreadable: true };
  const decoded = new TextDecoder(encoding).decode(bytes);
  return { text: Buffer.from(decoded, 'utf8').toString('latin1'), isConverted: true, unreadable: false };
}

function decodes(encoding: string, latin1: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return null;
  }
}

// Each encoding has its own pattern of high bytes; texts that fit none are not guessed.
function detectEncoding(sample: string): 'latin1' | 'shift_jis' | 'gbk' | 'windows-1251' | null {
  const runs = sample.match(HIGH_RUN) ?? [];
  const codes = [...runs.join('')].map((character) => character.charCodeAt(0));
  const japanese = decodes('shift_jis', sample);
  if (japanese && /[\u3040-\u30ff]/.test(japanese) && !/[\uff61-\uff9f]/.test(japanese)) return 'shift_jis';
  if (codes.length >= 4 && share(codes, (code) => code >= 0xe0) > 0.6 && share(codes, (code) => code >= 0xc0) > 0.9)
    return 'windows-1251';
  const pairs = runs.flatMap((run) => run.match(/../gs) ?? []);
  const isCommonHan = (pair: string) => pair[0]! >= '\xb0' && pair[0]! <= '\xd7' && pair[1]! >= '\xa1';
  if (pairs.length >= 2 && runs.every((run) => run.length % 2 === 0) && share(pairs, isCommonHan) > 0.8) return 'gbk';
  return codes.every((code) => code >= 0xa0) && runs.every((run) => run.length <= 3) ? 'latin1' : null;
}

const share = <T>(list: readonly T[], test: (each: T) => boolean) => list.filter(test).length / list.length;
