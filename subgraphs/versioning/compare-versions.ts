// Compares two drafts or versions: files, fields, references and measures.
import {
  type BoxChange,
  compareFields,
  compareFiles,
  compareMeasures,
  type FieldChange,
  type FileChange,
  type Measures,
  type NumberChange,
  parseMeasures,
} from '../core/domain/versions/compare.ts';
import { artifactsOfAll } from '../core/store/files/artifacts.ts';
import { readBlob } from '../core/store/files/blobs.ts';
import { get } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { ArtifactRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { compareReferences, type ReferenceChange } from './compare-references.ts';

/**
 * The differences between two drafts or versions. Measures are null if a side has none; `missing` lists those with the
 * reason.
 */
export type VersionComparison = {
  from: VersionRecord;
  to: VersionRecord;
  files: FileChange<ArtifactRecord>[];
  fields: FieldChange[];
  references: ReferenceChange[];
  measures: {
    volume: NumberChange | null;
    area: NumberChange | null;
    boundingBox: BoxChange | null;
    missing: MissingMeasures[];
  };
};
export type MissingMeasures = { versionId: string; reason: string };

/** Compares two drafts or versions, which may be of different documents. Throws `not_found` for an unknown one. */
export async function compareVersions(
  { scope }: { scope: Scope },
  input: { id: string; with: string },
): Promise<VersionComparison> {
  const from = await get(scope, 'versions', input.id);
  const to = await get(scope, 'versions', input.with);
  const files = Map.groupBy(await artifactsOfAll(scope, [from._id, to._id]), ({ versionId }) => versionId);
  const [before, after] = [files.get(from._id) ?? [], files.get(to._id) ?? []];

  const [old, now] = await Promise.all([readMeasures(scope, from, before), readMeasures(scope, to, after)]);
  const missing = [old, now].flatMap((found) => ('reason' in found ? [found] : []));
  return {
    from,
    to,
    files: compareFiles(before, after),
    fields: compareFields(fieldsOf(from), fieldsOf(to), ['name', 'comment', 'repoUrl', 'ref', 'path', 'commit']),
    references: await compareReferences(scope, from._id, to._id),
    measures: {
      ...('reason' in old || 'reason' in now
        ? { volume: null, area: null, boundingBox: null }
        : compareMeasures(old, now)),
      missing: from._id === to._id ? missing.slice(0, 1) : missing,
    },
  };
}

// The fields of the code are null if there is none.
function fieldsOf({ name, comment, code }: VersionRecord) {
  const { repoUrl = null, ref = null, path = null, commit = null } = code ?? {};
  return { name, comment, repoUrl, ref, path, commit };
}

const MAX_PROPERTIES_BYTES = 16 * 1024 * 1024;

async function readMeasures(
  scope: Scope,
  version: VersionRecord,
  files: readonly ArtifactRecord[],
): Promise<Measures | MissingMeasures> {
  const file = files.find(({ kind }) => kind === 'properties');
  const name = version.type === 'draft' ? 'The draft' : `Version ${version.n}`;
  const missing = (reason: string): MissingMeasures => ({ versionId: version._id, reason: `${name} ${reason}` });
  if (!file) return missing('has no properties file: no engine has measured it.');
  if (file.stale) return missing('has changed since an engine measured it.');
  if (file.size > MAX_PROPERTIES_BYTES)
    return missing(`has a properties file of ${file.size} bytes, more than the maximum of ${MAX_PROPERTIES_BYTES}.`);
  return (
    parseMeasures(await readBlob(scope, file.sha256)) ??
    missing('has a properties file without volume, area and bounding box.')
  );
}
