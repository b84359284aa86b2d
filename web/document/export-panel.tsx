import { type ExportFormat, ExportsOfDocument, ExportVersionDocument } from '../generated/operations.ts';
import { ask, fileAddress } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { mayWrite } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Deed } from '../ui/deed.tsx';
import { bytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/notes.tsx';
import { JobProgress } from '../upload/job-progress.tsx';
import type { Shown } from './document-page.tsx';

const FORMATS = [
  { format: 'STP', kind: 'stp', words: 'STEP' },
  { format: 'OFB', kind: 'ofb', words: 'OFB' },
] as const satisfies readonly { format: ExportFormat; kind: string; words: string }[];

/** The shape in other formats: what is there can be downloaded, what is not is asked of an engine. */
export function ExportPanel({ document, version, reload }: Shown) {
  const asked = useAsk(ExportsOfDocument, { versionId: version.id }, ofDocument(document.id));
  const jobs = asked.data?.jobs.items ?? [];
  const hasShape = version.artifacts.some(({ kind }) => kind === 'source' || kind === 'asm-json');
  const may = !mayWrite()
    ? { allowed: false, message: 'Viewers cannot ask for exports.' }
    : { allowed: hasShape, message: 'There is nothing to export yet: no file was uploaded.' };
  const start = (format: ExportFormat, words: string) =>
    attempt(() => ask(ExportVersionDocument, { versionId: version.id, format }), `${words} is asked for.`).then(asked.reload);
  return (
    <section class="card" aria-label="Export">
      <h2>Export</h2>
      {FORMATS.map(({ format, kind, words }) => {
        const file = version.artifacts.find((artifact) => artifact.kind === kind);
        const job = jobs.find((each) => each.format === format);
        const moves = job?.status === 'waiting' || job?.status === 'running';
        return (
          <div key={format} class="export">
            <div class="row">
              <strong>{words}</strong>
              {file && !file.stale ? (
                <a class="button end" href={fileAddress(`/artifacts/${file.id}/file`)} download={file.fileName}>
                  <Icon name="download" /> Download {words} ({bytes(file.size)})
                </a>
              ) : (
                !moves && (
                  <span class="end">
                    <Deed may={may} onClick={() => void start(format, words)}>
                      Make {words}
                    </Deed>
                  </span>
                )
              )}
            </div>
            {job && job.status !== 'done' && (!file || file.stale) && <JobProgress key={job.id} jobId={job.id} log={false} onEnd={reload} />}
            {job?.status === 'waiting' && format === 'OFB' && (
              <small>OFB is written by a ClassCAD engine; the job waits until one is connected.</small>
            )}
          </div>
        );
      })}
    </section>
  );
}
