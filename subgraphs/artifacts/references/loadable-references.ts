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

/** Why a reference cannot be loaded; `final`: it will not become loadable by waiting. */
export type Lack = {
  code: 'unresolved_reference' | 'not_converted' | 'needs_classcad';
  message: string;
  final: boolean;
};
/** What an engine loads for a reference: the converted file of a version of a model, or the asm.json of a version of an assembly. */
export type Loadable = {
  type: 'stp' | 'ofb' | 'json';
  sha256: string;
  fileName: string;
  name: string;
  versionId: string;
};
/** A document that a reference means, as far as that is known. */
export type Meant = { documentId: string; number: string; versionId: string };

export type Loading = { meant: Meant | null; found: Loadable | Lack };

type Target = { documentId: string; number: string; name: string; kind: string; version: VersionRecord };

/**
 * What each line of an assembly's draft or version is loaded from, by the key of its address: what it means now in a draft, what it was frozen to in
 * a version. A handful of queries, however many lines there are.
 */
export async function loadableReferences(
  scope: Scope,
  version: VersionRecord,
  lines: readonly AssemblyLine[],
): Promise<Map<string, Loading>> {
  const targets = await (version.type === 'draft' ? targetsNow(scope, lines) : targetsFrozen(scope, version));
  const versions = [...targets.values()].flatMap((target) => ('version' in target ? target.version : []));
  const files = await filesOf(scope, versions);
  const loadables = new Map<string, Loading>();
  for (const line of lines) {
    const target = targets.get(addressKey(line)) ?? unresolved(`There is no document ${line.target}.`);
    const meant =
      'version' in target
        ? { documentId: target.documentId, number: target.number, versionId: target.version._id }
        : null;
    loadables.set(addressKey(line), { meant, found: 'version' in target ? loadable(target, files) : target });
  }
  return loadables;
}

async function targetsNow(scope: Scope, lines: readonly AssemblyLine[]): Promise<Map<string, Target | Lack>> {
  const meant = await resolveReferences(scope, lines);
  const targets = new Map<string, Target | Lack>();
  for (const [key, { document, version, resolved }] of meant) {
    if (!document || !version) targets.set(key, unresolved(resolved.reason));
    else targets.set(key, targetOf(document, version));
  }
  return targets;
}

async function targetsFrozen(scope: Scope, { _id }: VersionRecord): Promise<Map<string, Target | Lack>> {
  const lines = await referencesOf(scope, _id);
  const frozen = lines.flatMap((line) => (line.frozen ? [{ key: addressKey(line), ...line.frozen }] : []));
  const read = <N extends 'documents' | 'versions'>(name: N, ids: string[]) =>
    inChunks([...new Set(ids)], (some) => findAll(scope, name, some));
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
    // nothing that a version uses can be deleted
    if (!document || !version)
      throw new Error(`Version ${_id} was frozen to ${versionId}, which is missing in the store`);
    targets.set(key, targetOf(document, version));
  }
  return targets;
}

function targetOf({ _id: documentId, number, name, kind }: DocumentRecord, version: VersionRecord): Target {
  return { documentId, number, name, kind, version };
}

function unresolved(reason: string): Lack {
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
      const files = await inChunks(ids, (some) => artifactsOfKind(scope, some, kind));
      return [kind, new Map(files.map((file) => [file.versionId, file]))] as const;
    }),
  );
  const byKind = new Map(kinds);
  // a file that was derived from another source is none
  const of = (kind: string, versionId: string) => {
    const file = byKind.get(kind)?.get(versionId);
    return file?.stale && !isContentKind(kind) ? undefined : file;
  };
  const jobIds = versions.flatMap(({ _id, awaitsJobs }) => (of('stp', _id) ? [] : awaitsJobs));
  const jobs = new Map(
    (await inChunks([...new Set(jobIds)], (some) => findAll(scope, 'jobs', some))).map((job) => [job._id, job]),
  );
  return { of, conversions: ({ awaitsJobs }) => awaitsJobs.flatMap((id) => jobs.get(id) ?? []) };
}

function loadable({ number, name, kind, version }: Target, files: Files): Loadable | Lack {
  const { _id: versionId, n } = version;
  const named = `${number} v${n}`;
  const loads = (type: Loadable['type'], file: ArtifactRecord): Loadable => ({
    type,
    sha256: file.sha256,
    fileName: file.fileName,
    name,
    versionId,
  });
  if (kind === 'assembly') {
    const asmJson = files.of(ASM_JSON, versionId);
    return asmJson
      ? loads('json', asmJson)
      : { code: 'not_converted', message: `${named} has no asm.json`, final: true };
  }
  const [stp, ofb] = [files.of('stp', versionId), files.of('ofb', versionId)];
  if (stp) return loads('stp', stp);
  if (ofb) return loads('ofb', ofb);
  return { ...whyNot(files.of('source', versionId), files.conversions(version), named) };
}

function whyNot(source: ArtifactRecord | undefined, conversions: readonly JobRecord[], named: string): Lack {
  if (!source)
    return { code: 'not_converted', message: `${named} has no STEP file, because it has no source`, final: true };
  const pending = conversions.find(isUnfinished);
  if (pending)
    return {
      code: 'not_converted',
      message: `${named} has no STEP file yet: its conversion ${pending.status === 'running' ? 'runs' : 'waits'}`,
      final: false,
    };
  const error = conversions.find(({ status }) => status === 'failed')?.error;
  if (!error)
    return { code: 'not_converted', message: `${named} has no STEP file: its conversion made none`, final: true };
  const code = error.code === 'needs_classcad' ? 'needs_classcad' : 'not_converted';
  return {
    code,
    message: `${named} has no STEP file: its conversion failed (${error.code}: ${error.message})`,
    final: true,
  };
}
