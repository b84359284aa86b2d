import { operation } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';

/** The resolved asm.json for the holder of a signed link. */
export const READ_SIGNED_ASM_JSON = operation(`
  query ReadSignedAsmJson($id: ID!, $origin: String!, $linksExpireAt: DateTime!) {
    resolvedAsmJson(versionId: $id, origin: $origin, linksExpireAt: $linksExpireAt)
  }
`);

export const ASSEMBLY_ROUTES: readonly Route[] = [
  route('GET /versions/:id/asm-json/resolved', {
    summary:
      'Read the asm.json with its references replaced by signed download links, valid for one hour without a token',
    operation: operation(`
      query ReadResolvedAsmJson($id: ID!, $origin: String) {
        resolvedAsmJson(versionId: $id, origin: $origin)
      }
    `),
    pick: 'resolvedAsmJson',
    errors: ['not_converted', 'not_your_job', 'stale_input', 'unresolved_reference', 'wrong_kind'],
    variables: { id: 'path', origin: 'origin' },
  }),
  route('POST /versions/:id/exports', {
    summary: 'Export a model or an assembly to one file; returns the export job',
    operation: operation(`
      mutation RequestExport($id: ID!, $format: ExportFormat!) {
        requestExport(versionId: $id, format: $format) {
          ...Job
        }
      }
    `),
    pick: 'requestExport',
    errors: ['document_archived', 'needs_classcad', 'not_converted', 'workspace_archived', 'wrong_kind'],
    variables: { id: 'path', format: 'body.*' },
    example: { format: 'STP' },
    status: 202,
    location: '/jobs/:id',
  }),
];
