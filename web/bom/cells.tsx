// What tables of references have in common: which document, which state of it, how it points there.
import { addressOf } from '../shell/addresses.ts';
import { Icon } from '../ui/icon.tsx';
import { Picture } from '../ui/picture.tsx';
import { type Meant, meantWords, POINTING, type Pointing } from './bom-words.ts';

type DocumentCellProps = {
  document: { id: string; number: string; name: string; kind: string } | null;
  /** Shown where there is no document. */
  address: string;
  versionId?: string | null;
  thumbnailUrl?: string | null;
  /** The link is a stop of the Tab key; not in a grid, where Enter does it. */
  linked?: boolean;
};

/** Picture, number and name; the number leads to the document, at the version if one is said. */
export function DocumentCell({ document, address, versionId, thumbnailUrl, linked = false }: DocumentCellProps) {
  if (!document) {
    return (
      <>
        <span class="picture small">
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
      <Picture url={thumbnailUrl} kind={document.kind} />
      <a class="mono" href={hrefOf(document.id, versionId)} tabIndex={linked ? undefined : -1}>
        {document.number}
      </a>
      <span class="cut" title={document.name}>
        {document.name}
      </span>
    </>
  );
}

export const hrefOf = (documentId: string, versionId?: string | null, tab = ''): string =>
  addressOf.document(documentId, tab, versionId ? { version: versionId } : {});

/** "Rev B · V3" and how the address came to it. */
export function MeantCell({ meant, pointing }: { meant: Meant | null; pointing: Pointing }) {
  const { label, why } = POINTING[pointing];
  return (
    <>
      {meant ? <span class="cut">{meantWords(meant)}</span> : <span class="quiet">nothing</span>}
      <span class={`mark${pointing === 'floating' ? ' accent' : ''}`} title={why}>
        {pointing !== 'floating' && <Icon name="lock" />}
        {label}
      </span>
    </>
  );
}
