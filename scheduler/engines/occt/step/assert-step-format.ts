import { FORMATS } from '../../../../subgraphs/core/domain/formats/formats.ts';
import { recognizeContent } from '../formats/recognize-format.ts';
import { fail } from '../job-failure.ts';

/** Throws JobFailure `needs_classcad` for OFB and `unsupported_format` for other known formats, detected by content. */
export function assertStepFormat(bytes: Buffer): void {
  const format = recognizeContent(bytes);
  if (format === 'ofb')
    fail(
      'needs_classcad',
      'the file is OFB: OFB requires a ClassCAD engine; the built-in engine reads and writes STEP',
    );
  if (format && format !== 'step') fail('unsupported_format', `the file is ${FORMATS[format].name}, not STEP`);
}
