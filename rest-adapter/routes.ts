// All routes below /api/v1, in the order of the specification.
import type { Route } from './route.ts';
import { ACCESS_ROUTES } from './routes/access.ts';
import { ASSEMBLY_ROUTES } from './routes/assemblies.ts';
import { AUDIT_ROUTES } from './routes/audit.ts';
import { BACKUP_ROUTES } from './routes/backups.ts';
import { BOM_ROUTES } from './routes/bom.ts';
import { DOCUMENT_ROUTES } from './routes/documents.ts';
import { EVENT_ROUTES, WEBHOOK_ROUTES } from './routes/events.ts';
import { FILE_ROUTES } from './routes/files.ts';
import { FOLDER_ROUTES } from './routes/folders.ts';
import { JOB_ROUTES, WORKER_ROUTES } from './routes/jobs.ts';
import { MEASURE_ROUTES } from './routes/measure.ts';
import { REFERENCE_ROUTES } from './routes/references.ts';
import { REVISION_ROUTES } from './routes/revisions.ts';
import { RUN_ROUTES } from './routes/runs.ts';
import { WHERE_USED_ROUTES } from './routes/uses.ts';
import { VERSION_ROUTES } from './routes/versions.ts';
import { VIEW_ROUTES } from './routes/views.ts';
import { WORKSPACE_ROUTES } from './routes/workspaces.ts';

/** Routes that run a GraphQL operation, by their OpenAPI tag. */
export const ROUTES: readonly { tag: string; description: string; routes: readonly Route[] }[] = [
  {
    tag: 'Documents and folders',
    description:
      'Documents, which hold the versions of a part, assembly or generator, and the folders that contain them.',
    routes: [...DOCUMENT_ROUTES, ...FOLDER_ROUTES],
  },
  {
    tag: 'Branches, versions, revisions',
    description:
      'Workspaces (branches) with their drafts, the versions created from drafts, and the revisions that release versions.',
    routes: [...WORKSPACE_ROUTES, ...VERSION_ROUTES, ...REVISION_ROUTES],
  },
  {
    tag: 'Named views',
    description: 'Views of the 3D model, stored with a draft or version: camera, hidden parts and section planes.',
    routes: VIEW_ROUTES,
  },
  {
    tag: 'Files',
    description: 'The files of drafts and versions, each with a kind.',
    routes: [...FILE_ROUTES, ...MEASURE_ROUTES],
  },
  {
    tag: 'References',
    description: 'The references of assemblies: what they resolve to, where documents are used, and their updates.',
    routes: [...REFERENCE_ROUTES, ...WHERE_USED_ROUTES, ...ASSEMBLY_ROUTES],
  },
  {
    tag: 'Bills of materials',
    description: 'Bills of materials of assemblies, and their comparison.',
    routes: BOM_ROUTES,
  },
  {
    tag: 'Code and runs',
    description: 'Generators: their code from a repository, and the runs that create documents.',
    routes: RUN_ROUTES,
  },
  { tag: 'Jobs', description: 'The jobs of engines: conversions, assemblies, exports and runs.', routes: JOB_ROUTES },
  {
    tag: 'Worker routes',
    description: 'The protocol of workers, which claim jobs and deliver their results.',
    routes: WORKER_ROUTES,
  },
  { tag: 'Audit', description: 'The audit log of all writes, and its verification.', routes: AUDIT_ROUTES },
  { tag: 'Events', description: 'The audit log as CloudEvents: listed or streamed.', routes: EVENT_ROUTES },
  {
    tag: 'Webhooks',
    description: 'Webhooks, which receive events over HTTPS, and their deliveries.',
    routes: WEBHOOK_ROUTES,
  },
  { tag: 'Backups', description: 'The scheduled backups of the embedded store.', routes: BACKUP_ROUTES },
  { tag: 'Users and tokens', description: 'Users, their roles and their tokens.', routes: ACCESS_ROUTES },
];

/** Routes without a GraphQL operation; app.ts mounts them. */
export const SERVICE_ROUTES: readonly Pick<Route, 'method' | 'path'>[] = [
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/docs' },
  { method: 'GET', path: '/schemas/asm.json' },
  { method: 'GET', path: '/events/stream' },
  { method: 'GET', path: '/content/:sha256' },
  { method: 'GET', path: '/content/assemblies/:versionId' },
];
