import { type ExportFormat, ExportsOfDocument, ExportVersionDocument } from '../generated/operations.ts';
import { ask, fileAddress } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { mayWrite } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Deed } from '../ui/deed.tsx';
import { bytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { attempt } from '../ui/notes.tsx';
import { JobProgress } from '../upload/job-progress.tsx';
import type { Shown } from './document-page.tsx';

const FORMATS = [
  { format: 'STP', kind: 'stp', words: 'STEP' },
  { format: 'OFB', kind: 'ofb', words: 'OFB' },
] as const satisfies readonly { format: ExportFormat; kind: string; words: string }[];

const NO_ENGINE =
  'No engine of this service writes OFB. An administrator can connect a ClassCAD worker, and set PDM_OFB_WORKER=external.';

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
    : {
        allowed: structure,
        message: 'There is nothing to export yet: upload an asm.json, or a STEP assembly to take apart.',
      };
  const engineOf = (format: ExportFormat) => asked.data?.exportOffers.find((offer) => offer.format === format)?.engine;
  const start = (format: ExportFormat, words: string) =>
    attempt(() => ask(ExportVersionDocument, { versionId: version.id, format }), `${words} is asked for.`).then(
      asked.reload,
    );
  return (
    <section class="card" aria-label="Export">
      <h2>Export</h2>
      {formats.map(({ format, kind, words }) => {
        const file = fileOf(kind);
        const again = isAssembly && version.type === 'draft';
        const job = jobs.find((each) => each.format === format);
        const moves = job?.status === 'waiting' || job?.status === 'running';
        const engine = engineOf(format);
        return (
          <KeepFocus key={format} label={words} class="export">
            <div class="row">
              <strong>{words}</strong>
              <span class="row end">
                {file && !file.stale && (
                  <a class="button" href={fileAddress(`/artifacts/${file.id}/file`)} download={file.fileName}>
                    <Icon name="download" /> Download {words} ({bytes(file.size)})
                  </a>
                )}
                {isAssembly && engine && !moves && (again || !file || file.stale) && (
                  <Deed
                    may={engine === 'none' ? { allowed: false, message: NO_ENGINE } : may}
                    onClick={() => void start(format, words)}
                  >
                    {file && !file.stale ? 'Again' : `Make ${words}`}
                  </Deed>
                )}
              </span>
            </div>
            {job && job.status !== 'done' && (moves || !file || file.stale) && (
              <JobProgress key={job.id} jobId={job.id} log={false} onEnd={reload} />
            )}
            {isAssembly && engine === 'none' && <small>{NO_ENGINE}</small>}
            {isAssembly && engine === 'external' && (
              <small>{words} is written by a ClassCAD engine; the job waits until one is connected.</small>
            )}
          </KeepFocus>
        );
      })}
    </section>
  );
}
