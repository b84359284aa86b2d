import { addressKey } from '../domain/assembly/address.ts';
import type { AssemblyLine } from '../domain/assembly/asm-references.ts';
import { bomDigest, type Frozen } from '../domain/assembly/bom-digest.ts';
import { refuse } from '../domain/errors.ts';
import { frozenTo, resolveReferences, type Target } from '../store/assembly/resolve-references.ts';
import type { Scope } from '../store/query/scope.ts';
import type { ReferenceRecord } from '../store/schema/collections.ts';

type Unresolved = { location: string; code: string; message: string; paths: string[] };

/**
 * What each line of a draft would be frozen to now: occurrence → version and content hash. Refuses with `unresolved_reference`, listing
 * them, addresses that mean nothing.
 */
export async function freezeLines(
  scope: Scope,
  lines: readonly ReferenceRecord[],
): Promise<(AssemblyLine & { frozen: Frozen })[]> {
  const targets = await resolveReferences(scope, lines);
  const unresolved: Unresolved[] = [];
  const frozen = lines.flatMap(({ line, location, target, at, quantity, occurrences }) => {
    const meant = targets.get(addressKey({ target, at }));
    const pinned = meant && frozenTo(meant);
    if (pinned) return [{ line, location, target, at, quantity, occurrences, frozen: pinned }];
    unresolved.push({ location, ...why(meant), paths: occurrences.map(({ path }) => path) });
    return [];
  });
  if (unresolved.length) refuseUnresolved(unresolved);
  return frozen;
}

/** The digest that lines would have if they were frozen now; null while some of them mean nothing. */
export async function digestNow(scope: Scope, lines: readonly AssemblyLine[]): Promise<string | null> {
  const targets = await resolveReferences(scope, lines);
  const frozen = lines.flatMap((line) => {
    const meant = targets.get(addressKey(line));
    const pinned = meant && frozenTo(meant);
    return pinned ? [{ ...line, frozen: pinned }] : [];
  });
  return frozen.length === lines.length ? bomDigest(frozen) : null;
}

function why(target: Target | undefined): { code: string; message: string } {
  const resolved = target?.resolved;
  return resolved && !resolved.resolution
    ? { code: resolved.code, message: resolved.reason }
    : { code: 'no_such_document', message: 'It is not known.' };
}

function refuseUnresolved(unresolved: readonly Unresolved[]): never {
  const errors = unresolved
    .slice(0, MOST_TOLD)
    .map(({ location, message, paths }) => ({ path: paths[0] ?? '', message: `${location}: ${message}` }));
  const first = errors[0]?.message ?? '';
  const others = unresolved.length > 1 ? ` and ${unresolved.length - 1} more` : '';
  return refuse(
    'unresolved_reference',
    `${unresolved.length === 1 ? 'A reference means' : 'References mean'} nothing: ${first}${others}`,
    {
      errors,
      references: unresolved.slice(0, MOST_TOLD),
    },
  );
}

const MOST_TOLD = 100;
