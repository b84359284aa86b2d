// A body for each operation that takes one, as the description shows it. A test sends every one of them to the service.

/** The ids that stand in the examples: of things that are to be put there by whoever sends one. */
export const EXAMPLE_IDS = {
  document: 'doc_01jwq3v8zkf6hbx2m9t4c7r5ae',
  folder: 'fld_01jwq3w1p0e8s5d7n2y6k4h9gb',
  version: 'ver_01jwq3wgt5f3r8a1v9c2m6x4qd',
  audit: 'aud_01jwq3x2n7k9b4s6e1h8z5y3tf',
  user: 'usr_01jwq3xv4d2c7m8g5r9k1p6wne',
} as const;

const { document, folder, version, audit, user } = EXAMPLE_IDS;

const EXAMPLES: Readonly<Record<string, object>> = {
  CreateDocument: {
    name: 'Bearing block',
    kind: 'model',
    description: 'Cast, machined on four sides',
    folderId: folder,
  },
  MoveDocuments: { ids: [document], folderId: folder },
  UpdateDocument: { name: 'Bearing block 40', description: null },
  CopyDocument: { name: 'Bearing block, left', versionId: version },
  CreateFolder: { name: 'Drive train', parentId: folder },
  UpdateFolder: { name: 'Gear box', parentId: null },
  CreateWorkspace: { name: 'lighter', fromVersionId: version, description: 'Half the mass' },
  UpdateWorkspace: { name: 'lightest', description: 'A third of the mass' },
  CreateVersion: { name: 'Ribs added', comment: 'Four ribs, 3 mm' },
  TakeOver: { versionId: version, force: true },
  RestoreVersion: { versionId: version },
  UndoDraftChange: { auditId: audit },
  CheckoutWorkspace: { ttlSeconds: 3600, note: 'On the train, back at four' },
  HeartbeatCheckout: { ttlSeconds: 3600 },
  RequestCheckin: { note: 'Ten minutes for a drawing, if you are done' },
  CheckinWorkspace: { force: false },
  UpdateVersion: { name: 'Ribs added', comment: 'Five ribs, 3 mm' },
  ReleaseVersion: { comment: 'For the first series' },
  UpdateRevision: { comment: 'For the first series, 500 pieces' },
  SetCode: { repoUrl: 'https://example.com/parts/gears.git', ref: 'main', path: 'spur' },
  RequestRun: { params: { width: 40, holes: 4 }, force: false },
  RequestExport: { format: 'STP' },
  UpdateReferences: { to: 'release' },
  ReplaceInDrafts: { with: document, dryRun: true },
  ClaimJob: { workerId: 'press-7', types: ['convert'], environment: { engine: 'occt' }, waitSeconds: 0 },
  HeartbeatJob: { attempt: 1, percent: 40, step: 'meshing', log: ['3 of 7 bodies'] },
  CompleteJob: { attempt: 1, log: ['7 bodies'] },
  FailJob: { attempt: 1, error: { code: 'bad_geometry', message: 'Face 12 cuts itself.' }, final: true },
  GiveBackJob: { attempt: 1 },
  CreateUser: { name: 'Ada Lovelace', role: 'editor' },
  UpdateUser: { name: 'Ada King', role: 'viewer', disabled: false },
  CreateWebhook: {
    url: 'https://example.com/hooks/pdm',
    name: 'Release board',
    types: ['version.released', 'revision.*'],
  },
  UpdateWebhook: { types: ['version.released'], enabled: true },
  CreateToken: { name: 'nightly import', userId: user, role: 'viewer', expiresInDays: 90 },
};

/** The body that is shown for an operation; undefined when there is none. */
export function exampleOf(operationId: string): object | undefined {
  return EXAMPLES[operationId];
}

/** The operations that have an example. */
export const WITH_EXAMPLE: readonly string[] = Object.keys(EXAMPLES);
