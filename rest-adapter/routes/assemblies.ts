import { ReadResolvedAsmJsonDocument, RequestExportDocument } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';

export const ASSEMBLY_ROUTES: readonly Route[] = [
  route(
    'GET /versions/:id/asm-json/resolved',
    'The asm.json with references turned into addresses an engine can load, for an hour and without a token',
    ReadResolvedAsmJsonDocument,
    'resolvedAsmJson',
    { id: 'path', origin: 'origin' },
  ),
  route(
    'POST /versions/:id/exports',
    'Export an assembly as one file; answers with the job that makes it',
    RequestExportDocument,
    'requestExport',
    { id: 'path', format: 'body.*' },
    { status: 202, location: '/jobs/:id' },
  ),
];
