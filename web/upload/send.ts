// One file over the REST route. Not by fetch: that tells nobody how much of a body has gone.
import { problemOf, Unreachable } from '../shell/ask.ts';
import { headerOf, typeOf } from './what-it-becomes.ts';

type Place = { versionId: string; kind: string; split?: boolean };

/** Sends a file into a draft; `onSent` hears which part of it (0…1) has gone. Throws a Refusal in the words of the service, and when it is stopped. */
export function send(
  file: File,
  { versionId, kind, split }: Place,
  stop: AbortSignal,
  onSent: (part: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ kind, ...(split ? { split: 'true' } : {}) });
    request.open('POST', `/api/v1/versions/${encodeURIComponent(versionId)}/artifacts?${query}`);
    request.setRequestHeader('x-pdm-csrf', '1');
    request.setRequestHeader('x-file-name', headerOf(file.name));
    request.setRequestHeader('content-type', typeOf(file));
    request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
      lengthComputable && total > 0 && onSent(loaded / total);
    request.onload = () => (request.status < 300 ? resolve() : void problemIn(request).then(reject));
    request.onerror = () =>
      reject(
        new Unreachable(
          `${file.name} was not sent to the end: the connection broke. Nothing was stored; try it again.`,
        ),
      );
    request.onabort = () => reject(stop.reason ?? new Error('stopped'));
    stop.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

const problemIn = ({ status, statusText, responseText }: XMLHttpRequest): Promise<Error> =>
  problemOf(new Response(responseText, { status: status >= 400 ? status : 502, statusText }));
