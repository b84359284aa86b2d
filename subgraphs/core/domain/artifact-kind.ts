// The artifact kinds and who can store them where.

import { refuse } from './errors.ts';
import type { DocumentKind, JobType } from './kinds.ts';
import { assertDraft } from './versions/lifecycle.ts';

type Target = 'draft' | 'version';
export type Writer = 'user' | 'worker';

/** The rules of an artifact kind. */
export type ArtifactKind = {
  /** The document kinds that can have such a file. */
  documents: readonly DocumentKind[];
  /** Where users and workers can store it. */
  user: readonly Target[];
  worker: readonly Target[];
  /** Whether it is original content, which the content hash of a version covers, and not derived from it. */
  content: boolean;
  /** Whether such a file can be JSON. */
  json: boolean;
  /** The maximum size in bytes of a file that is read into memory. Null: the upload limit applies. */
  maxBytes: number | null;
  /** The job that storing it queues, with the environment the worker needs. Null for none. */
  queues: { type: JobType; environment: readonly string[] } | null;
};

const NOWHERE = [] as const;
const DRAFT = ['draft'] as const;
const ANYWHERE = ['draft', 'version'] as const;
const GEOMETRY = ['model', 'assembly'] as const;
const CODE = ['code'] as const;
const ANY_DOCUMENT = ['model', 'assembly', 'code'] as const;
// Any engine reads STEP files.
const ANY_ENGINE = [] as const;
const MiB = 2 ** 20;

const DERIVED: ArtifactKind = {
  documents: GEOMETRY,
  user: NOWHERE,
  worker: ANYWHERE,
  content: false,
  json: false,
  maxBytes: null,
  queues: null,
};

// A new kind only needs a row here.
const KINDS: Record<string, ArtifactKind> = {
  source: {
    documents: ['model'],
    user: DRAFT,
    worker: NOWHERE,
    content: true,
    json: false,
    maxBytes: null,
    queues: { type: 'convert', environment: ANY_ENGINE },
  },
  'asm-json': {
    documents: ['assembly'],
    user: DRAFT,
    worker: NOWHERE,
    content: true,
    json: true,
    maxBytes: 32 * MiB,
    queues: { type: 'assemble', environment: ANY_ENGINE },
  },
  code: { documents: CODE, user: NOWHERE, worker: NOWHERE, content: true, json: true, maxBytes: null, queues: null },
  manifest: {
    documents: CODE,
    user: NOWHERE,
    worker: NOWHERE,
    content: true,
    json: true,
    maxBytes: null,
    queues: null,
  },
  stp: DERIVED,
  ofb: DERIVED,
  brep: DERIVED,
  stl: DERIVED,
  obj: DERIVED,
  '3mf': DERIVED,
  glb: DERIVED,
  properties: {
    documents: GEOMETRY,
    user: NOWHERE,
    worker: ANYWHERE,
    content: false,
    json: true,
    maxBytes: null,
    queues: null,
  },
  measure: {
    documents: GEOMETRY,
    user: NOWHERE,
    worker: ANYWHERE,
    content: false,
    json: true,
    maxBytes: 32 * MiB,
    queues: null,
  },
  thumbnail: {
    documents: ANY_DOCUMENT,
    user: ANYWHERE,
    worker: ANYWHERE,
    content: false,
    json: false,
    maxBytes: null,
    queues: null,
  },
};
const ATTACHMENT: ArtifactKind = {
  documents: ANY_DOCUMENT,
  user: DRAFT,
  worker: NOWHERE,
  content: true,
  json: true,
  maxBytes: null,
  queues: null,
};

/** The names of the kinds of attachments. */
export const ATTACHMENT_KIND = /^attachment\.[a-z0-9-]{1,40}$/;

/** The names of all kinds, as shown to clients. */
export const ARTIFACT_KINDS: readonly string[] = [...Object.keys(KINDS), 'attachment.<slug>'];

/** The kinds of original content except attachments. */
export const CONTENT_KINDS: readonly string[] = Object.entries(KINDS).flatMap(([kind, { content }]) =>
  content ? [kind] : [],
);

/** Returns the rules of a kind. Throws `unknown_artifact_kind` with the list of kinds if it does not exist. */
export function artifactKind(kind: string): ArtifactKind {
  return findKind(kind) ?? refuseUnknown(kind);
}

/**
 * Returns the rules of a kind whose files can be removed from a draft. Throws `forbidden` for kinds that only the
 * service writes.
 */
export function assertRemovable(kind: string): ArtifactKind {
  const rule = artifactKind(kind);
  if (!rule.user.length && !rule.worker.length)
    refuse('forbidden', `Files of kind ${kind} are managed by ${allowedWriters(rule)} and cannot be removed.`, {
      artifactKind: kind,
    });
  return rule;
}

/** Returns whether files of this kind are original content, not derived. False for kinds that do not exist. */
export function isContentKind(kind: string): boolean {
  return findKind(kind)?.content ?? false;
}

/**
 * Throws unless the writer can store a file of this kind there: `wrong_kind` if the document kind does not have such
 * files, `forbidden` if the writer cannot write the kind, `not_a_draft` if it belongs in drafts only.
 */
export function assertCanStore(
  kind: string,
  writer: Writer,
  document: { number: string; kind: DocumentKind },
  version: Parameters<typeof assertDraft>[0],
): void {
  const rule = artifactKind(kind);
  if (!rule.documents.includes(document.kind))
    refuse(
      'wrong_kind',
      `Document ${document.number} is of kind ${document.kind}. Only documents of kind ${rule.documents.join(' or ')} can have files of kind ${kind}.`,
      {
        kind: document.kind,
        allowed: rule.documents,
      },
    );
  const targets = rule[writer];
  if (!targets.length)
    refuse('forbidden', `Files of kind ${kind} can only be stored by ${allowedWriters(rule)}.`, { artifactKind: kind });
  if (!targets.includes('version')) assertDraft(version);
}

/** Throws `unsupported_media_type` if a file of this kind cannot have this content type. */
export function assertContentType(kind: string, contentType: string): void {
  if (!artifactKind(kind).json && /^application\/json\b/i.test(contentType))
    refuse(
      'unsupported_media_type',
      `A file of kind ${kind} is not JSON. Send the bytes of the file, with its Content-Type or application/octet-stream.`,
    );
}

function allowedWriters({ user, worker }: ArtifactKind): string {
  if (user.length) return 'users';
  return worker.length ? 'workers for their current job' : 'the service when it synchronizes the code of a draft';
}

function findKind(kind: string): ArtifactKind | undefined {
  if (Object.hasOwn(KINDS, kind)) return KINDS[kind];
  return ATTACHMENT_KIND.test(kind) ? ATTACHMENT : undefined;
}

function refuseUnknown(kind: string): never {
  return refuse(
    'unknown_artifact_kind',
    `There is no artifact kind "${kind.slice(0, 60)}". Allowed: ${ARTIFACT_KINDS.join(', ')}. A slug has 1 to 40 characters from a-z, 0-9 and -.`,
    {
      allowed: ARTIFACT_KINDS,
    },
  );
}
