// Compares two drafts or versions: files, fields, references and mass properties.
import {
  type BoxChange,
  compareFields,
  compareFiles,
  compareMassProperties,
  type FieldChange,
  type FileChange,
  type MassProperties,
  type NumberChange,
  parseMassProperties,
} from '../core/domain/versions/compare.ts';
import { artifactsOfAll } from '../core/store/files/artifacts.ts';
import { readBlob } from '../core/store/files/blobs.ts';
import { get } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { ArtifactRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { compareReferences, type ReferenceChange } from './compare-references.ts';

/**
 * The differences between two drafts or versions. `measures` compares their mass properties: its values are null if
 * either side has none, and `missing` lists those sides with the reasons.
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
    missing: MissingMassProperties[];
  };
};
export type MissingMassProperties = { versionId: string; reason: string };

/** Compares two drafts or versions, which may be of different documents. Throws `not_found` for an unknown one. */
export async function compareVersions(
  { scope }: { scope: Scope },
  input: { id: string; with: string },
): Promise<VersionComparison> {
  const from = await get(scope, 'versions', input.id);
  const to = await get(scope, 'versions', input.with);
  const files = Map.groupBy(await artifactsOfAll(scope, [from._id, to._id]), ({ versionId }) => versionId);
  const [before, after] = [files.get(from._id) ?? [], files.get(to._id) ?? []];

  const [old, now] = await Promise.all([readMassProperties(scope, from, before), readMassProperties(scope, to, after)]);
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
        : compareMassProperties(old, now)),
      missing: from._id === to._id ? missing.slice(0, 1) : missing,
    },
  };
}

// The code fields are null if the document has no code.
function fieldsOf({ name, comment, code }: VersionRecord) {
  const { repoUrl = null, ref = null, path = null, commit = null } = code ?? {};
  return { name, comment, repoUrl, ref, path, commit };
}

const MAX_PROPERTIES_BYTES = 16 * 1024 * 1024;

async function readMassProperties(
  scope: Scope,
  version: VersionRecord,
  files: readonly ArtifactRecord[],
): Promise<MassProperties | MissingMassProperties> {
  const file = files.find(({ kind }) => kind === 'properties');
  const name = version.type === 'draft' ? 'The draft' : `Version ${version.n}`;
  const missing = (reason: string): MissingMassProperties => ({ versionId: version._id, reason: `${name} ${reason}` });
  if (!file) return missing('has no properties file: no engine has measured it.');
  if (file.stale) return missing('has changed since an engine measured it.');
  if (file.size > MAX_PROPERTIES_BYTES)
    return missing(`has a properties file of ${file.size} bytes, more than the maximum of ${MAX_PROPERTIES_BYTES}.`);
  return (
    parseMassProperties(await readBlob(scope, file.sha256)) ??
    missing('has a properties file without volume, area and bounding box.')
  );
}
