// Table cells of references: the document, the version and the reference type.
import { urlFor } from '../shell/router.ts';
import { Icon } from '../ui/icon.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { REFERENCE_TYPES, type ReferenceType, type ResolvedVersion, resolvedLabel } from './bom-lines.ts';

type DocumentCellProps = {
  document: { id: string; number: string; name: string; kind: string } | null;
  /** Shown if the document is null. */
  address: string;
  versionId?: string | null;
  thumbnailUrl?: string | null;
  /** Whether the link can be reached with Tab; false in a grid, where Enter opens the document. */
  isTabStop?: boolean;
};

/** Thumbnail, number and name; the number links to the document or a version. */
export function DocumentCell({ document, address, versionId, thumbnailUrl, isTabStop = false }: DocumentCellProps) {
  if (!document) {
    return (
      <>
        <span class="thumbnail">
          <Icon name="warning" />
        </span>
        <span class="mono cut" title={address}>
          {address}
        </span>
      </>
    );
  }
  return (
    <>
      <Thumbnail url={thumbnailUrl} kind={document.kind} />
      <a class="mono" href={versionUrl(document.id, versionId)} tabIndex={isTabStop ? undefined : -1}>
        {document.number}
      </a>
      <span class="cut" title={document.name}>
        {document.name}
      </span>
    </>
  );
}

/** Returns the page URL of a document, or of one of its versions. */
export const versionUrl = (documentId: string, versionId?: string | null, tab = ''): string =>
  urlFor.document(documentId, tab, versionId ? { version: versionId } : {});

/** The version that a reference resolves to ("Rev B · v3"), and the reference type. */
export function ResolvedCell({ version, type }: { version: ResolvedVersion | null; type: ReferenceType }) {
  const { label, tooltip } = REFERENCE_TYPES[type];
  return (
    <>
      {version ? <span class="cut">{resolvedLabel(version)}</span> : <span class="quiet">–</span>}
      <span class={`mark${type === 'floating' ? ' accent' : ''}`} title={tooltip}>
        {type !== 'floating' && <Icon name="lock" />}
        {label}
      </span>
    </>
  );
}
