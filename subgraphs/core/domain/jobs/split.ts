import { refuse } from '../errors.ts';
import type { DocumentKind } from '../kinds.ts';

/** The format of a convert job that takes a STEP assembly apart, and what its worker must offer. */
export const SPLIT = 'SPLIT';
export const SPLIT_ENVIRONMENT: readonly string[] = ['split:step'];

/**
 * Whether an upload is a STEP assembly to be taken apart: a source for an assembly, with `split`. Refuses (`wrong_kind`) a source for an
 * assembly without it, saying so, and `split` for anything else.
 */
export function isSplit(
  document: { number: string; kind: DocumentKind },
  { kind, split }: { kind: string; split?: boolean | null },
): boolean {
  const { number } = document;
  if (split && (kind !== 'source' || document.kind !== 'assembly'))
    refuse(
      'wrong_kind',
      `Only a source for an assembly is taken apart; this is a ${kind} file for ${number}, which is of kind ${document.kind}.`,
      {
        kind: document.kind,
        allowed: ['assembly'],
      },
    );
  if (kind === 'source' && document.kind === 'assembly' && !split)
    refuse(
      'wrong_kind',
      `Document ${number} is of kind assembly, and a source file belongs to a model. With ?split=true a STEP assembly is taken apart: a model for each part, and an asm.json that places them.`,
      { kind: document.kind, allowed: ['model'], split: true },
    );
  return split === true;
}
