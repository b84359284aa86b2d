// Data derived from the uses of assemblies, as the service returns it and as the model expects it: bill of materials,
// outdated uses, available updates.

import type { Read } from './document-state.ts';
import type { Body } from './model-command.ts';
import {
  addressOf,
  documentNamed,
  linesOf,
  type Model,
  meant,
  moved,
  newestOf,
  resolved,
  type State,
  usesOf,
} from './state.ts';

export async function readStructure(read: Read, id: string): Promise<object> {
  const idOf = (resolution: Body): string | null => resolution?.versionId ?? null;
  const indented = (await read(`/versions/${id}/bom`)).items;
  const flat = (await read(`/versions/${id}/bom?mode=flat`)).items;
  const now = (await read(`/versions/${id}/bom?mode=top&resolve=now`)).items;
  const updates = (await read(`/versions/${id}/reference-updates`)).items;
  return {
    rows: indented.map((row: Body) => [row.path, row.address, idOf(row.resolution), row.quantity, row.totalQuantity]),
    aged: indented.map((row: Body) => [row.outdated, row.outdatedBelow, row.resolution?.obsolete ?? null]),
    flat: flat.map((row: Body) => `${row.quantity} ${idOf(row.resolution) ?? row.address}`).sort(),
    now: now.map((row: Body) => [row.address, idOf(row.resolution), row.outdated, row.outdatedBelow]),
    updates: updates.map((each: Body) => [
      ...[
        each.location,
        idOf(each.current),
        idOf(each.newestRelease),
        idOf(each.newestVersion),
        each.toRelease,
        each.toVersion,
      ],
    ]),
  };
}

export function expectedStructure(m: Model, state: State): object {
  const rows = bomOf(m, state, '', 1);
  const leaves = rows.filter((row) => !rows.some(([path]) => path.startsWith(`${row[0]}.`)));
  const sums = new Map<string, number>();
  for (const [, address, version, , total] of leaves)
    sums.set(version ?? address, (sums.get(version ?? address) ?? 0) + total);
  const version = (id: string | null) => m.states.get(id ?? '') ?? null;
  return {
    rows,
    aged: rows.map(([, , id]) => [isOutdated(m, version(id)), outdatedInside(m, version(id)), id && isObsolete(m, id)]),
    flat: [...sums].map(([what, quantity]) => `${quantity} ${what}`).sort(),
    now: linesOf(state).map((line) => {
      const means = resolved(m, line);
      return [addressOf(line), means?.id ?? null, isOutdated(m, means), outdatedInside(m, means)];
    }),
    updates: usesOf(state).map((use) => {
      const document = documentNamed(m, use.target);
      const newest = (wanted: 'release' | 'version') =>
        document && document.kind !== 'code' ? (newestOf(m, document.id, wanted)?.id ?? null) : null;
      const to = (wanted: 'release' | 'version') => {
        const after = moved(m, use, wanted, meant(m, state, use));
        return after && addressOf(after);
      };
      return [addressOf(use), meant(m, state, use), newest('release'), newest('version'), to('release'), to('version')];
    }),
  };
}

const isObsolete = (m: Model, versionId: string): boolean =>
  [...m.revisions.values()].some((revision) => revision.versionId === versionId && revision.obsolete);

/** Not the version that the bare address means now, nor a later one chosen explicitly. */
function isOutdated(m: Model, version: State | null): boolean {
  if (!version) return false;
  const newest = resolved(m, { target: version.documentId, at: '', quantity: 1 });
  return newest !== null && newest.id !== version.id && (newest.n > (version.n ?? 0) || isObsolete(m, version.id));
}

function outdatedInside(m: Model, version: State | null): boolean {
  return (version?.frozen ?? []).some(
    (id) => isOutdated(m, m.states.get(id) ?? null) || outdatedInside(m, m.states.get(id) ?? null),
  );
}

type Row = [path: string, address: string, versionId: string | null, quantity: number, total: number];

/** The bill of materials, in depth-first order. */
function bomOf(m: Model, state: State, above: string, times: number): Row[] {
  return linesOf(state).flatMap((line, i): Row[] => {
    const [path, versionId] = [`${above}${i + 1}`, meant(m, state, line)];
    const version = versionId ? m.states.get(versionId) : undefined;
    const row: Row = [path, addressOf(line), versionId, line.quantity, line.quantity * times];
    return [row, ...(version ? bomOf(m, version, `${path}.`, line.quantity * times) : [])];
  });
}
