import { refuse } from './errors.ts';
import type { DocumentKind, JobType } from './kinds.ts';
import { assertDraft } from './versions/lifecycle.ts';

type Place = 'draft' | 'version';
export type Writer = 'user' | 'worker';

/** What the service knows about a kind of file. */
export type ArtifactKind = {
  /** The kinds of document that hold such a file. */
  documents: readonly DocumentKind[];
  /** Where each sort of writer may store it. */
  user: readonly Place[];
  worker: readonly Place[];
  /** It is what people made: part of the content hash of a version. */
  content: boolean;
  /** The most bytes it may have, where it is read as a whole; null: the limit of uploads. */
  maxBytes: number | null;
  /** The job that storing it queues, and what the worker's environment must contain. */
  queues: { type: JobType; environment: readonly string[] } | null;
};

const NOWHERE = [] as const;
const DRAFT = ['draft'] as const;
const ANYWHERE = ['draft', 'version'] as const;
const GEOMETRY = ['model', 'assembly'] as const;
const CODE = ['code'] as const;
const EVERY = ['model', 'assembly', 'code'] as const;
// a STEP file needs no engine in particular
const ANY_ENGINE = [] as const;
const MiB = 2 ** 20;

// One row for each kind; the row is all that has to be added for a new one.
const KINDS: Record<string, ArtifactKind> = {
  source: {
    documents: ['model'],
    user: DRAFT,
    worker: NOWHERE,
    content: true,
    maxBytes: null,
    queues: { type: 'convert', environment: ANY_ENGINE },
  },
  'asm-json': {
    ...{ documents: ['assembly'], user: DRAFT, worker: NOWHERE, content: true, maxBytes: 32 * MiB },
    queues: { type: 'assemble', environment: ANY_ENGINE },
  },
  code: { documents: CODE, user: NOWHERE, worker: NOWHERE, content: true, maxBytes: null, queues: null },
  manifest: { documents: CODE, user: NOWHERE, worker: NOWHERE, content: true, maxBytes: null, queues: null },
  stp: { documents: GEOMETRY, user: NOWHERE, worker: ANYWHERE, content: false, maxBytes: null, queues: null },
  ofb: { documents: GEOMETRY, user: NOWHERE, worker: ANYWHERE, content: false, maxBytes: null, queues: null },
  glb: { documents: GEOMETRY, user: NOWHERE, worker: ANYWHERE, content: false, maxBytes: null, queues: null },
  properties: { documents: GEOMETRY, user: NOWHERE, worker: ANYWHERE, content: false, maxBytes: null, queues: null },
  thumbnail: { documents: EVERY, user: ANYWHERE, worker: ANYWHERE, content: false, maxBytes: null, queues: null },
};
const ATTACHMENT: ArtifactKind = {
  documents: EVERY,
  user: DRAFT,
  worker: NOWHERE,
  content: true,
  maxBytes: null,
  queues: null,
};

const SLUG = /^attachment\.[a-z0-9-]{1,40}$/;

/** The kinds that can be stored, as a client is told. */
export const ARTIFACT_KINDS: readonly string[] = [...Object.keys(KINDS), 'attachment.<slug>'];

/** The kinds, but for attachments, of what people or generators made, in contrast to what was derived from it. */
export const CONTENT_KINDS: readonly string[] = Object.entries(KINDS).flatMap(([kind, { content }]) =>
  content ? [kind] : [],
);

/** The rules of a kind. Refuses a kind that does not exist with `unknown_artifact_kind`, listing those that do. */
export function artifactKind(kind: string): ArtifactKind {
  return find(kind) ?? unknown(kind);
}

/** The rules of a kind whose files may be removed from a draft. Refuses those that only the service itself writes (`forbidden`). */
export function assertRemovable(kind: string): ArtifactKind {
  const rule = artifactKind(kind);
  if (!rule.user.length && !rule.worker.length)
    refuse('forbidden', `Files of kind ${kind} are kept by ${storedBy(rule)}; they are not removed by hand.`, {
      artifactKind: kind,
    });
  return rule;
}

/** Whether files of this kind are what people made, in contrast to what was derived from it. */
export function isContentKind(kind: string): boolean {
  return find(kind)?.content ?? false;
}

/**
 * Refuses a file of this kind that this writer may not store there: another kind of document (`wrong_kind`), a writer to whom the kind
 * is closed (`forbidden`), a user's content in a version (`not_a_draft`).
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
      `Document ${document.number} is of kind ${document.kind}; files of kind ${kind} belong to documents of kind ${rule.documents.join(' or ')}.`,
      {
        kind: document.kind,
        allowed: rule.documents,
      },
    );
  const places = rule[writer];
  if (!places.length)
    refuse('forbidden', `Files of kind ${kind} are stored by ${storedBy(rule)}.`, { artifactKind: kind });
  if (!places.includes('version')) assertDraft(version);
}

function storedBy({ user, worker }: ArtifactKind): string {
  if (user.length) return 'users';
  return worker.length ? 'workers, for the job they hold' : 'the service, when it synchronises the code of a draft';
}

function find(kind: string): ArtifactKind | undefined {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind] : SLUG.test(kind) ? ATTACHMENT : undefined;
}

function unknown(kind: string): never {
  return refuse(
    'unknown_artifact_kind',
    `There is no artifact kind "${kind.slice(0, 60)}". Allowed: ${ARTIFACT_KINDS.join(', ')} (1 to 40 of a to z, 0 to 9 and -).`,
    {
      allowed: ARTIFACT_KINDS,
    },
  );
}
