// Small pictures of documents.
import { useState } from 'preact/hooks';
import { fileAddress } from '../shell/ask.ts';
import { Icon, type IconName } from './icon.tsx';

type PictureProps = { url: string | null | undefined; kind: string; size?: 'small' | 'medium' | 'large' };

/** The thumbnail at `url`, or the icon of the document's kind where there is none (yet). */
export function Picture({ url, kind, size = 'small' }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!url || broken === url) {
    return (
      <span class={`picture ${size}`}>
        <Icon name={iconOf(kind)} />
      </span>
    );
  }
  return (
    <img
      class={`picture ${size}`}
      src={fileAddress(url)}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(url)}
    />
  );
}

export const iconOf = (kind: string): IconName =>
  kind === 'assembly' ? 'assembly' : kind === 'code' ? 'code' : 'model';
