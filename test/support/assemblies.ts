// Creates assemblies for tests through the API, or directly in the store where many are needed.

import { collection, type Scope } from '../../subgraphs/core/store/query/scope.ts';
import type { DocumentRecord, ReferenceRecord, VersionRecord } from '../../subgraphs/core/store/schema/collections.ts';
import type { Answer, Client } from './client.ts';

/** A document with its main workspace. */
export type Item = { id: string; number: string; workspaceId: string; draftId: string };
export type Use = readonly [of: Item | string, quantity?: number];

/** Returns the address of a document, e.g. `addressOf(part, '@A')`. */
export const addressOf = ({ number }: Pick<Item, 'number'>, at = ''): string => `pdm://documents/${number}${at}`;

/** Returns an asm.json that places each document or address with its quantity. */
export function asmJson(uses: readonly Use[]): string {
  const templates = uses.map(([of], i) => ({
    ident: `t${i}`,
    reference: { location: typeof of === 'string' ? of : addressOf(of) },
  }));
  const instances = uses.flatMap(([, quantity = 1], i) =>
    Array.from({ length: quantity }, (_, k) => ({ ident: `t${i}-${k}`, template: `t${i}` })),
  );
  return JSON.stringify({ templates, instances });
}

/** Returns functions that create parts and assemblies through the API with this client. */
export function assemblies(client: Client) {
  const created = async (kind: 'model' | 'assembly', fields: { name?: string; number?: string }): Promise<Item> => {
    const { body } = must(await client.post('/documents', { name: kind, ...fields, kind }));
    return {
      id: body.id,
      number: body.number,
      workspaceId: body.workspaces[0].id,
      draftId: body.workspaces[0].draftId,
    };
  };
  const version = async (item: Item): Promise<{ id: string; n: number; bomDigest: string | null }> =>
    must(await client.post(`/workspaces/${item.workspaceId}/versions`, {})).body;
  const release = async (item: Item): Promise<{ id: string; label: string; versionId: string }> =>
    must(await client.post(`/versions/${(await version(item)).id}/release`, {})).body;
  const use = async (assembly: Item, uses: readonly Use[]): Promise<void> => {
    must(await client.upload(assembly.draftId, 'asm-json', asmJson(uses), { fileName: 'asm.json' }));
  };
  return {
    version,
    release,
    use,
    /** A model without a version. */
    model: (fields = {}) => created('model', fields),
    /** A model with one version. */
    async part(fields: { name?: string; number?: string } = {}): Promise<Item> {
      const item = await created('model', fields);
      await version(item);
      return item;
    },
    /** An assembly whose draft contains these uses. */
    async draft(uses: readonly Use[], fields: { name?: string; number?: string } = {}): Promise<Item> {
      const item = await created('assembly', fields);
      if (uses.length) await use(item, uses);
      return item;
    },
    /** An assembly with one version that contains these uses. */
    async assembly(uses: readonly Use[], fields: { name?: string; number?: string } = {}): Promise<Item> {
      const item = await this.draft(uses, fields);
      await version(item);
      return item;
    },
  };
}

function must(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`failed with ${answer.status}: ${answer.bytes}`);
  return answer;
}

/**
 * Inserts documents with one frozen version each into the store: `uses` has the used names and quantities by name. Name
 * X becomes document `doc_X`, version `ver_X`. Creates neither files nor audit records: for reads of structures, not
 * for invariants.
 */
export async function storeStructure(
  scope: Scope,
  uses: Readonly<Record<string, readonly (readonly [name: string, quantity: number])[]>>,
): Promise<void> {
  const at = new Date(0);
  const names = Object.keys(uses);
  const digest = (name: string) => (uses[name]?.length ? name.padEnd(64, '0') : null);
  const documents = names.map((name) => ({
    ...documentOf(name, uses[name]?.length ? 'assembly' : 'model'),
    createdAt: at,
    updatedAt: at,
  }));
  const versions = names.map(
    (name): VersionRecord => ({ ...versionOf(name), bomDigest: digest(name), createdAt: at, updatedAt: at }),
  );
  const references = names.flatMap((name) =>
    (uses[name] ?? []).map(([used, quantity], i): ReferenceRecord => {
      const own = {
        _id: `ver_${name}/${i + 1}`,
        documentId: `doc_${name}`,
        versionId: `ver_${name}`,
        place: 'latest' as const,
        released: false,
      };
      const address = { target: used, at: { as: 'newest' as const }, location: `pdm://documents/${used}` };
      const occurrences = [{ path: `/templates/${i}/reference`, quantity }];
      const meant = {
        documentId: `doc_${used}`,
        number: used,
        versionId: `ver_${used}`,
        n: 1,
        as: 'version' as const,
        label: null,
      };
      return {
        ...own,
        ...address,
        line: i + 1,
        quantity,
        occurrences,
        frozen: { ...meant, sha256: 'a'.repeat(64), bomDigest: digest(used) },
      };
    }),
  );
  await collection(scope, 'documents').insertMany(documents);
  await collection(scope, 'versions').insertMany(versions);
  await collection(scope, 'references').insertMany(references);
}

function documentOf(name: string, kind: 'model' | 'assembly'): Omit<DocumentRecord, 'createdAt' | 'updatedAt'> {
  return {
    _id: `doc_${name}`,
    number: name,
    name: `Name of ${name}`,
    nameKey: name,
    kind,
    description: null,
    folderId: null,
    archived: false,
    copiedFrom: null,
    lastVersion: 1,
    words: [],
    text: '',
    createdBy: 'usr_test',
    updatedBy: 'usr_test',
    lock: 0,
  };
}

function versionOf(name: string): Omit<VersionRecord, 'createdAt' | 'updatedAt'> {
  return {
    _id: `ver_${name}`,
    documentId: `doc_${name}`,
    workspaceId: `wsp_${name}`,
    type: 'version' as const,
    n: 1,
    name: 'V1',
    comment: null,
    basedOnVersionId: null,
    parents: [],
    releasedAs: null,
    contentHash: 'a'.repeat(64),
    awaitsJobs: [],
    createdBy: 'usr_test',
    lock: 0,
  };
}
