// Uploads of STEP assemblies that are split into documents.

import { refuse } from '../errors.ts';
import type { DocumentKind } from '../kinds.ts';

/** The format of a convert job that splits a STEP assembly, and the environment its worker needs. */
export const SPLIT_FORMAT = 'SPLIT';
export const SPLIT_ENVIRONMENT: readonly string[] = ['split:step'];

/**
 * Returns whether an upload is a STEP assembly to split. Throws `wrong_kind` if `split` is requested for anything but
 * the source of an assembly, or not requested for one.
 */
export function validateSplit(
  document: { number: string; kind: DocumentKind },
  { kind, split }: { kind: string; split?: boolean | null },
): boolean {
  const { number } = document;
  if (split && (kind !== 'source' || document.kind !== 'assembly'))
    refuse(
      'wrong_kind',
      `Only a source file of an assembly can be split. This is a ${kind} file of document ${number}, which is of kind ${document.kind}.`,
      {
        kind: document.kind,
        allowed: ['assembly'],
      },
    );
  if (kind === 'source' && document.kind === 'assembly' && !split)
    refuse(
      'wrong_kind',
      `Document ${number} is of kind assembly and cannot have a source file. Upload a STEP assembly with ?split=true to create a model for each part and an asm.json that places them.`,
      { kind: document.kind, allowed: ['model'], split: true },
    );
  return split === true;
}
