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

/**
 * The shape in other formats: what is there can be downloaded, what is not is asked of an engine. Only an assembly is exported; a model has its STEP file
 * from its conversion. What a draft uses may have moved since, so its export can be made again.
 */
export function ExportPanel({ document, version, reload }: Shown) {
  const asked = useAsk(ExportsOfDocument, { versionId: version.id }, ofDocument(document.id));
  const jobs = asked.data?.jobs.items ?? [];
  const isAssembly = document.kind === 'assembly';
  const structure = version.artifacts.some(({ kind }) => kind === 'asm-json');
  const fileOf = (kind: string) => version.artifacts.find((artifact) => artifact.kind === kind);
  const formats = FORMATS.filter(({ kind }) => isAssembly || fileOf(kind));
  if (formats.length === 0) return null;
  const may = !mayWrite()
    ? { allowed: false, message: 'Viewers cannot ask for exports.' }
    : { allowed: structure, message: 'There is nothing to export yet: upload an asm.json, or a STEP assembly to take apart.' };
  const start = (format: ExportFormat, words: string) =>
    attempt(() => ask(ExportVersionDocument, { versionId: version.id, format }), `${words} is asked for.`).then(asked.reload);
  return (
    <section class="card" aria-label="Export">
      <h2>Export</h2>
      {formats.map(({ format, kind, words }) => {
        const file = fileOf(kind);
        const again = isAssembly && version.type === 'draft';
        const job = jobs.find((each) => each.format === format);
        const moves = job?.status === 'waiting' || job?.status === 'running';
        return (
          <div key={format} class="export">
            <div class="row">
              <strong>{words}</strong>
              <span class="row end">
                {file && !file.stale && (
                  <a class="button" href={fileAddress(`/artifacts/${file.id}/file`)} download={file.fileName}>
                    <Icon name="download" /> Download {words} ({bytes(file.size)})
                  </a>
                )}
                {isAssembly && !moves && (again || !file || file.stale) && (
                  <Deed may={may} onClick={() => void start(format, words)}>
                    {file && !file.stale ? 'Again' : `Make ${words}`}
                  </Deed>
                )}
              </span>
            </div>
            {job && job.status !== 'done' && (moves || !file || file.stale) && <JobProgress key={job.id} jobId={job.id} log={false} onEnd={reload} />}
            {job?.status === 'waiting' && format === 'OFB' && (
              <small>OFB is written by a ClassCAD engine; the job waits until one is connected.</small>
            )}
          </div>
        );
      })}
    </section>
  );
}
