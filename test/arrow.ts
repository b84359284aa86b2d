// The import rules as data: arrow.test.ts enforces them, and ARCHITECTURE.md draws them.
export const CORE = 'subgraphs/core';

const domain = `${CORE}/domain`;
const formats = `${domain}/formats`;
const measure = `${domain}/measure`;
const platform = `${CORE}/platform`;
const cache = `${CORE}/cache`;
const store = `${CORE}/store`;
const commands = `${CORE}/commands`;
const proof = `${CORE}/proof`;
const SUBGRAPHS = ['documents', 'versioning', 'artifacts', 'jobs'].map((name) => `subgraphs/${name}`);

/** For each folder, the folders it may import. A file belongs to the longest folder that contains it. */
export const MAY_IMPORT: Record<string, readonly string[]> = {
  app: [
    ...['cli', 'embedded', 'gateway', 'http', 'operate', 'rest-adapter', 'scheduler'],
    ...[...SUBGRAPHS, CORE, domain, platform, store],
  ],
  'rest-adapter': ['gateway', 'http', CORE, domain, platform, 'rest-adapter/generated'],
  'rest-adapter/generated': [],
  gateway: ['http', CORE, domain, platform],
  http: ['subgraphs/documents', CORE, domain, platform, 'web/addresses'],
  'subgraphs/documents': [commands, proof, CORE, platform, store, domain],
  'subgraphs/versioning': [commands, CORE, store, domain],
  'subgraphs/artifacts': [commands, CORE, platform, store, domain, formats, measure],
  'subgraphs/jobs': [commands, CORE, platform, store, domain, formats],
  [proof]: [store, domain],
  [`${CORE}/check`]: [proof, store, domain],
  [commands]: [CORE, platform, store, domain, measure],
  [CORE]: [platform, store, domain],
  [store]: [cache, platform, domain],
  [cache]: [domain],
  [platform]: [domain],
  [domain]: [],
  [formats]: [],
  [measure]: [],
  scheduler: [platform, domain, formats, measure, 'worker-sdk'],
  'worker-sdk': [],
  embedded: [],
  web: ['web/addresses', formats, measure],
  'web/addresses': [],
  cli: ['rest-adapter/generated'],
  operate: ['cli', 'embedded', 'http', 'subgraphs/documents', CORE, `${CORE}/check`, proof, platform, store, domain],
  docs: ['cli', 'operate', platform, formats],
  examples: ['worker-sdk'],
  demo: ['examples'],
};

/** Packages that only these folders or files may import. */
export const PACKAGES: Record<string, readonly string[]> = {
  '@apollo': ['gateway/', `${CORE}/graphql.ts`],
  bson: ['embedded/'],
  'client-zip': ['web/find/', 'web/upload/'],
  commander: ['cli/'],
  'dxf-parser': ['web/preview/'],
  fastify: ['app/', 'gateway/', 'http/', 'rest-adapter/'],
  lmdb: ['embedded/'],
  marked: ['http/documentation/'],
  minisearch: ['http/documentation/'],
  mongodb: [`${store}/`, `${cache}/`, `${CORE}/work.ts`],
  nats: [`${platform}/dispatch-nats.ts`],
  'pdfjs-dist': ['web/preview/'],
  pino: [`${platform}/log.ts`],
  preact: ['web/'],
  three: ['web/'],
  uqr: ['web/document/'],
};
