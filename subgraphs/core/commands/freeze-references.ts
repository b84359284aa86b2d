// Freezes the references of a draft.
import { addressKey } from '../domain/assembly/address.ts';
import type { AssemblyLine } from '../domain/assembly/asm-references.ts';
import { bomDigest, type FrozenReference } from '../domain/assembly/bom-digest.ts';
import { refuse } from '../domain/errors.ts';
import { freezeTarget, resolveReferences, type Target } from '../store/assembly/resolve-references.ts';
import type { Scope } from '../store/query/scope.ts';
import type { ReferenceRecord } from '../store/schema/collections.ts';

type Unresolved = { location: string; code: string; message: string; paths: string[] };

/**
 * Returns the lines of a draft with the version and content hash that each resolves to now. Throws
 * `unresolved_reference` with the addresses that do not resolve.
 */
export async function freezeLines(
  scope: Scope,
  lines: readonly ReferenceRecord[],
): Promise<(AssemblyLine & { frozen: FrozenReference })[]> {
  const targets = await resolveReferences(scope, lines);
  const unresolved: Unresolved[] = [];
  const frozen = lines.flatMap(({ line, location, target, at, quantity, occurrences }) => {
    const resolved = targets.get(addressKey({ target, at }));
    const frozenTarget = resolved && freezeTarget(resolved);
    if (frozenTarget) return [{ line, location, target, at, quantity, occurrences, frozen: frozenTarget }];
    unresolved.push({ location, ...reasonFor(resolved), paths: occurrences.map(({ path }) => path) });
    return [];
  });
  if (unresolved.length) refuseUnresolved(unresolved);
  return frozen;
}

/** Returns the digest that the lines would have if they were frozen now; null if some do not resolve. */
export async function currentDigest(scope: Scope, lines: readonly AssemblyLine[]): Promise<string | null> {
  const targets = await resolveReferences(scope, lines);
  const frozen = lines.flatMap((line) => {
    const resolved = targets.get(addressKey(line));
    const frozenTarget = resolved && freezeTarget(resolved);
    return frozenTarget ? [{ ...line, frozen: frozenTarget }] : [];
  });
  return frozen.length === lines.length ? bomDigest(frozen) : null;
}

function reasonFor(target: Target | undefined): { code: string; message: string } {
  const resolved = target?.resolved;
  return resolved && !resolved.resolution
    ? { code: resolved.code, message: resolved.reason }
    : { code: 'no_such_document', message: 'There is no such document.' };
}

function refuseUnresolved(unresolved: readonly Unresolved[]): never {
  const errors = unresolved
    .slice(0, MAX_REPORTED)
    .map(({ location, message, paths }) => ({ path: paths[0] ?? '', message: `${location}: ${message}` }));
  const first = errors[0]?.message ?? '';
  const message =
    unresolved.length === 1
      ? `A reference does not resolve: ${first}`
      : `${unresolved.length} references do not resolve, e.g. ${first}`;
  return refuse('unresolved_reference', message, { errors, references: unresolved.slice(0, MAX_REPORTED) });
}

const MAX_REPORTED = 100;
