import sax from 'sax';
import { decodeUtf8 } from '../../../../subgraphs/core/domain/text/decode-utf8.ts';
import { fail } from '../job-failure.ts';

const MAX_DEPTH = 100;
const CHUNK = 65_536;

export type XmlHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
};

/**
 * Parses an XML file strictly. Declared entities are not expanded, and elements are nested at most 100 deep. Throws
 * JobFailure `syntax`.
 */
export function parseXml(bytes: Uint8Array, { open, close }: XmlHandler): void {
  const parser = sax.parser(true);
  let depth = 0;
  parser.onerror = (error) => fail('syntax', `the XML is damaged: ${error.message.split('\n', 1)[0]}`);
  parser.onopentag = ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) fail('syntax', `the elements of the XML are nested more than ${MAX_DEPTH} deep`);
    open(name, attributes as Record<string, string>);
  };
  parser.onclosetag = (name) => {
    depth--;
    close?.(name);
  };
  const text = decodeUtf8(bytes) ?? fail('syntax', 'the XML is not UTF-8');
  for (let at = 0; at < text.length; at += CHUNK) parser.write(text.slice(at, at + CHUNK));
  parser.close();
}
