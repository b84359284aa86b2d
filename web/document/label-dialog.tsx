// A label with a QR code that opens the document, to print or to download.
import { useEffect, useState } from 'preact/hooks';
import type { encode } from 'uqr';
import { urlFor } from '../shell/router.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { showError } from '../ui/toasts.tsx';
import type { ShownDocument } from './document-page.tsx';

type LabelProps = { document: Pick<ShownDocument, 'number' | 'name'>; onClose: () => void };

const BORDER = 2;

export function LabelDialog({ document: { number, name }, onClose }: LabelProps) {
  const url = `${location.origin}${urlFor.document(number)}`;
  const [code, setCode] = useState<ReturnType<typeof encode> | null>(null);
  useEffect(() => {
    import('uqr').then((library) => setCode(library.encode(url, { ecc: 'M', border: BORDER })), showError);
  }, [url]);
  const { size, data } = code ?? { size: 1, data: [] };
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><rect width="100%" height="100%" fill="#fff"/><path d="${path}"/></svg>`;
  return (
    <Dialog title={`Label of ${number}`} onClose={onClose}>
      <div class="label-card" data-printed>
        <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${url}`}>
          <rect width={size} height={size} fill="#fff" />
          <path d={path} fill="#000" />
        </svg>
        <div>
          <strong class="mono">{number}</strong>
          <p>{name}</p>
          <small class="wrap">{url}</small>
        </div>
      </div>
      <div class="actions">
        <a class="button" href={`data:image/svg+xml,${encodeURIComponent(svg)}`} download={`${number}.svg`}>
          <Icon name="download" /> SVG
        </a>
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="primary" onClick={() => print()}>
          Print…
        </button>
      </div>
    </Dialog>
  );
}
