// The documents and versions that the components of an assembly resolve to.
import { useCallback, useMemo, useState } from 'preact/hooks';
import {
  type CandidateFragment,
  ComponentsOfVersionDocument,
  type ComponentVersionFragment,
  ComponentVersionsDocument,
  FindComponentDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useQuery } from '../shell/use-query.ts';
import { showError } from '../ui/toasts.tsx';
import { addressParts } from './structure.ts';

export type ComponentVersion = ComponentVersionFragment;
export type ComponentDocument = Pick<
  CandidateFragment,
  'id' | 'number' | 'name' | 'kind' | 'archived' | 'thumbnailUrl'
>;

export type Components = {
  documentOf: (location: string | null) => ComponentDocument | undefined;
  /** Undefined while it is not known, or if the reference is unresolved. */
  versionOf: (location: string | null) => ComponentVersion | undefined;
  /** The versions of a document, newest first; undefined until `loadVersions` has read them. */
  versionsOf: (documentId: string) => readonly ComponentVersion[] | undefined;
  loadVersions: (documentId: string) => void;
  /** Reads the document of a location that is not in the bill of materials. */
  loadDocument: (location: string) => void;
  add: (document: ComponentDocument) => void;
};

export function useComponents(versionId: string): Components {
  const { data } = useQuery(ComponentsOfVersionDocument, { id: versionId });
  const [added, setAdded] = useState<readonly ComponentDocument[]>([]);
  const [versions, setVersions] = useState<ReadonlyMap<string, readonly ComponentVersion[]>>(new Map());
  const [requested] = useState(() => new Set<string>());
  const { documents, resolved } = useMemo(() => {
    // by id and by number, because an address may contain either
    const documents = new Map<string, ComponentDocument>();
    const resolved = new Map<string, ComponentVersion>();
    const put = (each: ComponentDocument) => documents.set(each.id, each).set(each.number, each);
    for (const { documentId: id, number, name, kind, address, document, version } of data?.bom.items ?? []) {
      if (!id || !number) continue;
      const thumbnailUrl = version?.thumbnailUrl ?? null;
      put({ id, number, name: name ?? '', kind: kind ?? 'model', archived: document?.archived ?? false, thumbnailUrl });
      if (version) resolved.set(address, version);
    }
    for (const each of added) put(each);
    return { documents, resolved };
  }, [data, added]);
  const loadVersions = useCallback((id: string) => {
    if (requested.has(id)) return;
    requested.add(id);
    execute(ComponentVersionsDocument, { id }).then(
      ({ document }) => setVersions((before) => new Map(before).set(id, document?.versionPage.items ?? [])),
      (error: unknown) => {
        requested.delete(id);
        showError(error);
      },
    );
  }, []);
  const add = (document: ComponentDocument) => setAdded((before) => [...before, document]);
  const loadDocument = (location: string) => {
    const { document: id } = addressParts(location);
    if (!data || documents.has(id) || requested.has(location)) return;
    requested.add(location);
    execute(FindComponentDocument, { id }).then(({ document }) => document && add(document), showError);
  };
  return useMemo(() => {
    const documentOf = (location: string | null) =>
      location === null ? undefined : documents.get(addressParts(location).document);
    return {
      documentOf,
      versionOf: (location) => {
        const known = location === null ? undefined : resolved.get(location);
        const document = documentOf(location);
        if (known || !document || location === null) return known;
        return resolveAmong(versions.get(document.id) ?? [], addressParts(location).suffix);
      },
      versionsOf: (id) => versions.get(id),
      loadVersions,
      loadDocument,
      add,
    };
  }, [documents, resolved, versions]);
}

/**
 * Returns the version that an address with this suffix resolves to, as the service does: without a suffix, the newest
 * release that is not obsolete, else the newest release, else the newest version.
 */
export function resolveAmong(versions: readonly ComponentVersion[], suffix: string): ComponentVersion | undefined {
  const [, number] = /^@v(\d+)$/.exec(suffix) ?? [];
  if (number) return versions.find(({ n }) => n === Number(number));
  if (suffix) return versions.find(({ releasedAs }) => releasedAs && suffix === `@${releasedAs.label}`);
  const ordinal = ({ releasedAs }: ComponentVersion) => releasedAs?.revision?.ordinal ?? 0;
  const [newest] = versions
    .filter(({ releasedAs }) => releasedAs)
    .toSorted((a, b) => Number(a.releasedAs?.obsolete) - Number(b.releasedAs?.obsolete) || ordinal(b) - ordinal(a));
  return newest ?? versions.toSorted((a, b) => (b.n ?? 0) - (a.n ?? 0))[0];
}
