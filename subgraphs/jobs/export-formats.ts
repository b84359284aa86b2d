// Lists the export formats.
import { EXPORTS, type ExportFormat } from '../core/domain/formats/formats.ts';
import type { Context } from '../core/graphql.ts';

type ExportFormatInfo = { format: ExportFormat; engine: 'builtin' | 'external' | 'none' };

/** Returns the engine of each export format: as configured (PDM_OFB_WORKER) for OFB, built-in for all others. */
export function exportFormats({ services }: Context): ExportFormatInfo[] {
  return EXPORTS.map(({ format }) => ({ format, engine: format === 'OFB' ? services.limits.ofbWorker : 'builtin' }));
}
