import { EXPORTS, exportSourceOf, FORMATS } from '../../subgraphs/core/domain/formats/formats.ts';
import { type ExportFormat, ExportsOfDocument, ExportVersionDocument } from '../generated/operations.ts';
import { isActiveStatus } from '../jobs/job-labels.ts';
import { apiUrl, execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { canWrite } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { formatBytes } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { KeepFocus } from '../ui/keep-focus.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { JobProgress } from '../upload/job-progress.tsx';
import type { DocumentViewProps } from './document-page.tsx';

/**
 * Exports and their downloads, in the formats that an engine can write. Only assemblies are exported as STEP and OFB; the
 * conversion of a model already creates its STEP file.
 * A draft can be exported again, because the documents it references may have changed.
 */
export function ExportPanel({ document, version, reload }: DocumentViewProps) {
  const exports = useQuery(ExportsOfDocument, { versionId: version.id }, isAboutDocument(document.id));
  const jobs = exports.data?.jobs.items ?? [];
  const isAssembly = document.kind === 'assembly';
  const fileOf = (kind: string) => version.artifacts.find((artifact) => artifact.kind === kind);
  const engineOf = (format: ExportFormat) => exports.data?.exportFormats.find((each) => each.format === format)?.engine;
  const isOffered = (exported: (typeof EXPORTS)[number]) => {
    const from = exportSourceOf(exported, document.kind);
    const canWriteIt = (engineOf(exported.format) ?? 'none') !== 'none';
    return canWriteIt && (from === 'asm-json' ? isAssembly : fileOf(from)?.stale === false);
  };
  const glb = fileOf('glb');
  const formats = EXPORTS.filter((each) => fileOf(each.kind) || isOffered(each));
  if (formats.length === 0) return null;
  const permissionFor = (from: string) =>
    canWrite()
      ? { allowed: !!fileOf(from), message: 'Nothing to export yet. Upload an asm.json or import a STEP assembly.' }
      : { allowed: false, message: 'Viewers cannot start exports.' };
  const start = (format: ExportFormat, label: string) =>
    runWithToast(
      () => execute(ExportVersionDocument, { versionId: version.id, format }),
      `Started the ${label} export.`,
    ).then(exports.reload);
  return (
    <section class="card" aria-label="Export">
      <h2>Export</h2>
      {glb && !glb.stale && (
        <div class="export">
          <div class="row">
            <strong>{FORMATS.glb.name}</strong>
            <span class="row end">
              <a class="button" href={apiUrl(`/artifacts/${glb.id}/file`)} download={glb.fileName}>
                <Icon name="download" /> Download <span class="visually-hidden">{FORMATS.glb.name}</span> (
                {formatBytes(glb.size)})
              </a>
            </span>
          </div>
        </div>
      )}
      {formats.map((exported) => {
        const { format, kind, name: label } = exported;
        const file = fileOf(kind);
        const isRepeatable = isAssembly && version.type === 'draft';
        const job = jobs.find((each) => each.format === format);
        const isActive = isActiveStatus(job?.status);
        const engine = engineOf(format);
        return (
          <KeepFocus key={format} label={label} class="export">
            <div class="row">
              <strong>{label}</strong>
              <span class="row end">
                {file && !file.stale && (
                  <a class="button" href={apiUrl(`/artifacts/${file.id}/file`)} download={file.fileName}>
                    <Icon name="download" /> Download <span class="visually-hidden">{label}</span> (
                    {formatBytes(file.size)})
                  </a>
                )}
                {isOffered(exported) && !isActive && (isRepeatable || !file || file.stale) && (
                  <ActionButton
                    permission={permissionFor(exportSourceOf(exported, document.kind))}
                    onClick={() => void start(format, label)}
                  >
                    {file && !file.stale ? 'Export again' : `Export ${label}`}
                  </ActionButton>
                )}
              </span>
            </div>
            {job && job.status !== 'done' && (isActive || !file || file.stale) && (
              <JobProgress key={job.id} jobId={job.id} withLog={false} onEnd={isActive ? reload : undefined} />
            )}
            {isAssembly && engine === 'external' && (
              <small>{label} files are written by a ClassCAD engine; the job waits until one is connected.</small>
            )}
          </KeepFocus>
        );
      })}
    </section>
  );
}
