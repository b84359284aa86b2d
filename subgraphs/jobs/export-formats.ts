// Lists the export formats.
import type { Context } from '../core/graphql.ts';

type ExportFormatInfo = { format: 'STP' | 'OFB'; engine: 'builtin' | 'external' | 'none' };

/** Returns the engine of each export format: built-in for STEP, as configured (PDM_OFB_WORKER) for OFB. */
export function exportFormats({ services }: Context): ExportFormatInfo[] {
  return [
    { format: 'STP', engine: 'builtin' },
    { format: 'OFB', engine: services.limits.ofbWorker },
  ];
}
