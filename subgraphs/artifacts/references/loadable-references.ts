// Finds the file that an engine loads for each reference of an assembly.
import { isContentKind } from '../../core/domain/artifact-kind.ts';
import { addressKey } from '../../core/domain/assembly/address.ts';
import type { AssemblyLine } from '../../core/domain/assembly/asm-references.ts';
import { ASM_JSON, referencesOf } from '../../core/store/assembly/references.ts';
import { inChunks, resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import { artifactsOfKind } from '../../core/store/files/artifacts.ts';
import { isUnfinished } from '../../core/store/jobs/jobs.ts';
import { findAll } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { ArtifactRecord, DocumentRecord, JobRecord, VersionRecord } from '../../core/store/schema/collections.ts';

/** Why a reference cannot be loaded; `final` means that waiting will not help. */
export type LoadError = {
  code: 'unresolved_reference' | 'not_converted' | 'needs_classcad';
  message: string;
  final: boolean;
};
/** The file that an engine loads for a reference: the converted file of a model or the asm.json of an assembly. */
export type Loadable = {
  type: 'stp' | 'ofb' | 'json';
  sha256: string;
  fileName: string;
  name: string;
  versionId: string;
};
/** The document and version that a reference resolves to. */
export type TargetVersion = { documentId: string; number: string; versionId: string };

export type LoadResult = { target: TargetVersion | null; file: Loadable | LoadError };

type Target = { documentId: string; number: string; name: string; kind: string; version: VersionRecord };

/**
 * Returns the file of each line of a draft or version, by address key. References of a draft resolve now, those of a
 * version as they were frozen. The number of queries does not depend on the number of lines.
 */
export async function loadableReferences(
  scope: Scope,
  version: VersionRecord,
  lines: readonly AssemblyLine[],
): Promise<Map<string, LoadResult>> {
  const targets = await (version.type === 'draft' ? currentTargets(scope, lines) : frozenTargets(scope, version));
  const versions = [...targets.values()].flatMap((target) => ('version' in target ? target.version : []));
  const files = await filesOf(scope, versions);
  const loadables = new Map<string, LoadResult>();
  for (const line of lines) {
    const target = targets.get(addressKey(line)) ?? unresolvedError(`There is no document ${line.target}.`);
    const resolved =
      'version' in target
        ? { documentId: target.documentId, number: target.number, versionId: target.version._id }
        : null;
    loadables.set(addressKey(line), {
      target: resolved,
      file: 'version' in target ? toLoadable(target, files) : target,
    });
  }
  return loadables;
}

async function currentTargets(scope: Scope, lines: readonly AssemblyLine[]): Promise<Map<string, Target | LoadError>> {
  const references = await resolveReferences(scope, lines);
  const targets = new Map<string, Target | LoadError>();
  for (const [key, { document, version, resolved }] of references) {
    if (!document || !version) targets.set(key, unresolvedError(resolved.reason));
    else targets.set(key, targetOf(document, version));
  }
  return targets;
}

async function frozenTargets(scope: Scope, { _id }: VersionRecord): Promise<Map<string, Target | LoadError>> {
  const lines = await referencesOf(scope, _id);
  const frozen = lines.flatMap((line) => (line.frozen ? [{ key: addressKey(line), ...line.frozen }] : []));
  const read = <N extends 'documents' | 'versions'>(name: N, ids: string[]) =>
    inChunks([...new Set(ids)], (chunk) => findAll(scope, name, chunk));
  const [documents, versions] = await Promise.all([
    read(
      'documents',
      frozen.map(({ documentId }) => documentId),
    ),
    read(
      'versions',
      frozen.map(({ versionId }) => versionId),
    ),
  ]);
  const [documentOf, versionOf] = [
    new Map(documents.map((record) => [record._id, record])),
    new Map(versions.map((record) => [record._id, record])),
  ];
  const targets = new Map<string, Target>();
  for (const { key, documentId, versionId } of frozen) {
    const [document, version] = [documentOf.get(documentId), versionOf.get(versionId)];
    // Referenced versions cannot be deleted.
    if (!document || !version)
      throw new Error(`Version ${_id} references version ${versionId}, which is missing in the store`);
    targets.set(key, targetOf(document, version));
  }
  return targets;
}

function targetOf({ _id: documentId, number, name, kind }: DocumentRecord, version: VersionRecord): Target {
  return { documentId, number, name, kind, version };
}

function unresolvedError(reason: string): LoadError {
  return { code: 'unresolved_reference', message: `does not resolve (${reason})`, final: true };
}

type Files = {
  of(kind: string, versionId: string): ArtifactRecord | undefined;
  conversions(version: VersionRecord): JobRecord[];
};

async function filesOf(scope: Scope, versions: readonly VersionRecord[]): Promise<Files> {
  const ids = [...new Set(versions.map(({ _id }) => _id))];
  const kinds = await Promise.all(
    ['stp', 'ofb', ASM_JSON, 'source'].map(async (kind) => {
      const files = await inChunks(ids, (chunk) => artifactsOfKind(scope, chunk, kind));
      return [kind, new Map(files.map((file) => [file.versionId, file]))] as const;
    }),
  );
  const byKind = new Map(kinds);
  // A stale derived file belongs to an earlier source.
  const of = (kind: string, versionId: string) => {
    const file = byKind.get(kind)?.get(versionId);
    return file?.stale && !isContentKind(kind) ? undefined : file;
  };
  const jobIds = versions.flatMap(({ _id, awaitsJobs }) => (of('stp', _id) ? [] : awaitsJobs));
  const jobs = new Map(
    (await inChunks([...new Set(jobIds)], (chunk) => findAll(scope, 'jobs', chunk))).map((job) => [job._id, job]),
  );
  return { of, conversions: ({ awaitsJobs }) => awaitsJobs.flatMap((id) => jobs.get(id) ?? []) };
}

function toLoadable({ number, name, kind, version }: Target, files: Files): Loadable | LoadError {
  const { _id: versionId, n } = version;
  const label = `${number} v${n}`;
  const found = (type: Loadable['type'], file: ArtifactRecord): Loadable => ({
    type,
    sha256: file.sha256,
    fileName: file.fileName,
    name,
    versionId,
  });
  if (kind === 'assembly') {
    const asmJson = files.of(ASM_JSON, versionId);
    if (asmJson) return found('json', asmJson);
    return { code: 'not_converted', message: `${label} has no asm.json`, final: true };
  }
  const [stp, ofb] = [files.of('stp', versionId), files.of('ofb', versionId)];
  if (stp) return found('stp', stp);
  if (ofb) return found('ofb', ofb);
  return missingFile(files.of('source', versionId), files.conversions(version), label);
}

function missingFile(source: ArtifactRecord | undefined, conversions: readonly JobRecord[], label: string): LoadError {
  if (!source)
    return { code: 'not_converted', message: `${label} has no STEP file, because it has no source`, final: true };
  const pending = conversions.find(isUnfinished);
  if (pending)
    return {
      code: 'not_converted',
      message: `${label} has no STEP file yet: its conversion is ${pending.status}`,
      final: false,
    };
  const error = conversions.find(({ status }) => status === 'failed')?.error;
  if (!error)
    return { code: 'not_converted', message: `${label} has no STEP file: its conversion produced none`, final: true };
  const code = error.code === 'needs_classcad' ? 'needs_classcad' : 'not_converted';
  return {
    code,
    message: `${label} has no STEP file: its conversion failed (${error.code}: ${error.message})`,
    final: true,
  };
}
