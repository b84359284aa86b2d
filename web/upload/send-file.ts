// Uploads a file over REST. Uses XMLHttpRequest, because fetch does not report upload progress.
import { readError, UnreachableError } from '../shell/api-client.ts';
import { fileNameHeader, mediaTypeOf } from './upload-kind.ts';

/** `key` makes repeated uploads take effect once. */
type Target = { versionId: string; kind: string; split?: boolean; key: string };

/** Uploads a file to a draft. Calls `onSent` with the sent fraction, 0…1. Rejects on errors and if aborted. */
export function sendFile(
  file: File,
  { versionId, kind, split, key }: Target,
  signal: AbortSignal,
  onSent: (fraction: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ kind, ...(split ? { split: 'true' } : {}) });
    request.open('POST', `/api/v1/versions/${encodeURIComponent(versionId)}/artifacts?${query}`);
    request.setRequestHeader('x-pdm-csrf', '1');
    request.setRequestHeader('idempotency-key', key);
    request.setRequestHeader('x-file-name', fileNameHeader(file.name));
    request.setRequestHeader('content-type', mediaTypeOf(file));
    request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
      lengthComputable && total > 0 && onSent(loaded / total);
    request.onload = () => (request.status < 300 ? resolve() : void responseError(request).then(reject));
    request.onerror = () =>
      reject(new UnreachableError(`Upload of ${file.name} failed: the connection was lost. Try again.`));
    request.onabort = () => reject(signal.reason ?? new Error('Upload cancelled'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

const responseError = ({ status, statusText, responseText }: XMLHttpRequest): Promise<Error> =>
  readError(new Response(responseText, { status: status >= 400 ? status : 502, statusText }));
