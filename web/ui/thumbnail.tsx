// Thumbnails of documents.
import { useState } from 'preact/hooks';
import { apiUrl } from '../shell/api-client.ts';
import { Icon, type IconName } from './icon.tsx';

type ThumbnailProps = { url: string | null | undefined; kind: string; size?: 'small' | 'medium' | 'large' };

/** The image at `url`; the icon of the document kind if there is none or it fails to load. */
export function Thumbnail({ url, kind, size = 'small' }: ThumbnailProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);

  if (!url || brokenUrl === url) {
    return (
      <span class="thumbnail" data-size={size}>
        <Icon name={kindIcon(kind)} />
      </span>
    );
  }
  return (
    <img
      class="thumbnail"
      data-size={size}
      src={apiUrl(url)}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBrokenUrl(url)}
    />
  );
}

export function kindIcon(kind: string): IconName {
  return kind === 'assembly' || kind === 'code' ? kind : 'model';
}
