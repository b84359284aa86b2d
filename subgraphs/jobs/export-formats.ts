import type { Context } from '../core/graphql.ts';

type ExportFormatInfo = { format: 'STP' | 'OFB'; engine: 'builtin' | 'external' | 'none' };

/** Who writes the exports of each format: STEP is the built-in engine's; of OFB it depends on how the service was set up (PDM_OFB_WORKER). */
export function exportFormats({ services }: Context): ExportFormatInfo[] {
  return [
    { format: 'STP', engine: 'builtin' },
    { format: 'OFB', engine: services.limits.ofbWorker },
  ];
}
