import { createHash } from 'node:crypto';
import { auditHash, CHAIN_START } from '../../subgraphs/core/domain/audit-event.ts';
import { openBlob } from '../../subgraphs/core/store/blobs.ts';
import { collection, type Scope } from '../../subgraphs/core/store/scope.ts';

/** Every broken promise of the store, in a sentence; empty when it is sound. Reads everything, the bytes too. */
export async function brokenInvariants(scope: Scope): Promise<string[]> {
  const all = await Promise.all([
    documentsAreWhole(scope),
    versionsCount(scope),
    filesHaveBytes(scope),
    sourcesHaveJobs(scope),
    chainsHold(scope),
    numbersAreHeld(scope),
    releasesHold(scope),
    historyHolds(scope),
  ]);
  return all.flat();
}

async function documentsAreWhole(scope: Scope): Promise<string[]> {
  const documents = await collection(scope, 'documents').find().toArray();
  const workspaces = await collection(scope, 'workspaces').find().toArray();
  const drafts = await collection(scope, 'versions').find({ type: 'draft' }).toArray();
  const ofDocument = Map.groupBy(workspaces, ({ documentId }) => documentId);
  const draftIds = new Set(drafts.map(({ _id }) => _id));
  const known = new Set(documents.map(({ _id }) => _id));
  return [
    ...documents
      .filter(({ _id }) => ofDocument.get(_id)?.filter(({ main }) => main).length !== 1)
      .map(({ number }) => `document ${number} has not exactly one main workspace`),
    ...workspaces.filter(({ draftId }) => !draftIds.has(draftId)).map(({ _id }) => `workspace ${_id} has no draft`),
    ...workspaces.filter(({ documentId }) => !known.has(documentId)).map(({ _id }) => `workspace ${_id} belongs to no document`),
    ...drafts.filter(({ documentId }) => !known.has(documentId)).map(({ _id }) => `draft ${_id} belongs to no document`),
    ...(drafts.length === workspaces.length ? [] : [`${drafts.length} drafts for ${workspaces.length} workspaces`]),
  ];
}

async function versionsCount(scope: Scope): Promise<string[]> {
  const documents = await collection(scope, 'documents').find().toArray();
  const versions = await collection(scope, 'versions').find({ type: 'version' }).sort({ n: 1 }).toArray();
  const ofDocument = Map.groupBy(versions, ({ documentId }) => documentId);
  return documents.flatMap(({ _id, number, lastVersion }) => {
    const ns = (ofDocument.get(_id) ?? []).map(({ n }) => n);
    return ns.length === lastVersion && ns.every((n, i) => n === i + 1)
      ? []
      : [`document ${number} has the versions ${ns} and counts ${lastVersion}`];
  });
}

async function releasesHold(scope: Scope): Promise<string[]> {
  const revisions = await collection(scope, 'revisions').find().toArray();
  const released = await collection(scope, 'versions')
    .find({ releasedAs: { $ne: null } })
    .toArray();
  const documents = new Map((await collection(scope, 'documents').find().toArray()).map((document) => [document._id, document]));
  const pairs = new Set(revisions.map(({ _id, versionId, label }) => `${versionId} ${_id} ${label}`));
  const told = new Set(released.map(({ _id, releasedAs }) => `${_id} ${releasedAs?.revisionId} ${releasedAs?.label}`));
  return [
    ...[...pairs].filter((pair) => !told.has(pair)).map((pair) => `the version of a revision does not know it: ${pair}`),
    ...[...told].filter((pair) => !pairs.has(pair)).map((pair) => `a version says it is released and is not: ${pair}`),
    ...revisions
      .filter(({ documentId, ordinal }) => ordinal > (documents.get(documentId)?.lastRevision ?? 0))
      .map(({ _id }) => `revision ${_id} is beyond the last of its document`),
    ...revisions
      .filter(({ documentId, label }) => documents.get(documentId)?.takenBackLabels?.includes(label))
      .map(({ _id, label }) => `revision ${_id} has the label ${label}, which was taken back`),
  ];
}

async function historyHolds(scope: Scope): Promise<string[]> {
  const versions = await collection(scope, 'versions').find().toArray();
  const known = new Map(versions.map((version) => [version._id, version]));
  const kept = await collection(scope, 'draftBackups').find().toArray();
  const blobs = new Set((await collection(scope, 'blobs').find().toArray()).map(({ _id }) => _id));
  const isVersionOf = (documentId: string, id: string) => known.get(id)?.type === 'version' && known.get(id)?.documentId === documentId;
  return [
    ...versions
      .filter(
        ({ documentId, parents, basedOnVersionId }) =>
          ![...parents, ...(basedOnVersionId ? [basedOnVersionId] : [])].every((id) => isVersionOf(documentId, id)),
      )
      .map(({ _id }) => `${_id} descends from what is no version of its document`),
    ...versions
      .filter(({ basedOnVersionId, parents }) => basedOnVersionId !== (parents[0] ?? null))
      .map(({ _id }) => `${_id} does not continue its first parent`),
    ...kept.filter(({ draftId }) => known.get(draftId)?.type !== 'draft').map(({ _id }) => `the content kept under ${_id} belongs to no draft`),
    ...kept.flatMap(({ _id, artifacts }) =>
      artifacts.filter(({ sha256 }) => !blobs.has(sha256)).map(({ sha256 }) => `blob ${sha256} is kept under ${_id} and missing`),
    ),
  ];
}

async function filesHaveBytes(scope: Scope): Promise<string[]> {
  const artifacts = await collection(scope, 'artifacts').find().toArray();
  const versions = new Set((await collection(scope, 'versions').find().toArray()).map(({ _id }) => _id));
  const faults = artifacts.filter(({ versionId }) => !versions.has(versionId)).map(({ _id }) => `artifact ${_id} belongs to no draft or version`);
  for (const { sha256, size } of new Map(artifacts.map((artifact) => [artifact.sha256, artifact])).values()) {
    const hash = createHash('sha256');
    let length = 0;
    try {
      for await (const chunk of await openBlob(scope, sha256)) {
        hash.update(chunk);
        length += chunk.length;
      }
      if (length !== size || hash.digest('hex') !== sha256) faults.push(`blob ${sha256} does not hold its bytes`);
    } catch (error) {
      faults.push(`blob ${sha256} cannot be read: ${error}`);
    }
  }
  return faults;
}

async function sourcesHaveJobs(scope: Scope): Promise<string[]> {
  const drafts = new Set((await collection(scope, 'versions').find({ type: 'draft', basedOnVersionId: null }).toArray()).map(({ _id }) => _id));
  const sources = await collection(scope, 'artifacts').find({ kind: 'source' }).toArray();
  const jobs = await collection(scope, 'jobs').find().toArray();
  const known = new Set(jobs.map(({ versionId, inputSha256 }) => `${versionId} ${inputSha256}`));
  return sources
    .filter(({ versionId, sha256 }) => drafts.has(versionId) && !known.has(`${versionId} ${sha256}`))
    .map(({ _id }) => `source ${_id} has no job`);
}

async function chainsHold(scope: Scope): Promise<string[]> {
  const records = await collection(scope, 'audit').find().sort({ chain: 1, chainSeq: 1 }).toArray();
  const heads = new Map((await collection(scope, 'chains').find().toArray()).map((head) => [head._id, head]));
  const faults: string[] = [];
  for (const [chain, links] of Map.groupBy(records, (record) => record.chain)) {
    let previous = CHAIN_START;
    links.forEach((record, i) => {
      if (record.chainSeq !== i + 1 || record.prevHash !== previous || record.hash !== auditHash(previous, record))
        faults.push(`audit record ${record._id} breaks the chain ${chain}`);
      previous = record.hash;
    });
    if (heads.get(chain)?.hash !== previous || heads.get(chain)?.chainSeq !== links.length)
      faults.push(`the head of the chain ${chain} is not its last record`);
  }
  const documents = await collection(scope, 'documents').find().toArray();
  return [...faults, ...documents.filter(({ _id }) => !heads.has(_id)).map(({ number }) => `document ${number} has no audit record`)];
}

async function numbersAreHeld(scope: Scope): Promise<string[]> {
  const documents = await collection(scope, 'documents').find().toArray();
  const numbers = new Map((await collection(scope, 'numbers').find().toArray()).map((record) => [record._id, record]));
  const live = new Set(documents.map(({ number }) => number));
  return [
    ...documents
      .filter(({ _id, number }) => numbers.get(number)?.documentId !== _id)
      .map(({ number }) => `number ${number} is not held by its document`),
    ...[...numbers.values()].filter(({ _id, deleted }) => !deleted && !live.has(_id)).map(({ _id }) => `number ${_id} is held by no document`),
  ];
}
