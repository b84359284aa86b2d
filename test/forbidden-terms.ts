// Terms that the code, the texts and the API do not use, with what to write instead. glossary.test.ts enforces the list.

/**
 * `pattern` is matched against single words: the parts of identifiers (`toldOnce` is `told`, `once`) where `in` includes `names`, and the words
 * of strings, comments and Markdown where it includes `texts`. `except`: paths in which the word has another, established meaning.
 */
export type ForbiddenTerm = { pattern: RegExp; use: string; in: readonly ('names' | 'texts')[]; except?: RegExp };

const BOTH = ['names', 'texts'] as const;
const GEOMETRY = /^(scheduler\/engines|web\/viewer|bench)\//;

export const FORBIDDEN_TERMS: readonly ForbiddenTerm[] = [
  { pattern: /^(told|tell|tells|telling)$/, use: 'return, report, publish, send, notify', in: BOTH },
  { pattern: /^deeds?$/, use: 'action, operation, command', in: BOTH },
  { pattern: /^(whoever|whomever|whosoever)$/, use: 'the caller, the user, anyone who', in: BOTH },
  { pattern: /^(bells?|doorbells?)$/, use: 'topic, notification', in: BOTH },
  { pattern: /^(rings|rang|rung|ringing)$/, use: 'notify, notification', in: BOTH, except: GEOMETRY },
  { pattern: /^(hear|hears|heard|hearing)$/, use: 'receive, subscribe', in: BOTH },
  { pattern: /^doubts?$/, use: 'warning, invalidate', in: BOTH },
  { pattern: /^hasty$/, use: 'throttled', in: BOTH },
  { pattern: /^doors?$/, use: 'authenticator, entry point', in: BOTH },
  { pattern: /^(stands|stood)$/, use: 'is, was', in: BOTH },
  { pattern: /^says$/, use: 'message, description', in: ['names'] },
  { pattern: /^(most|longest|deepest)$/, use: 'max', in: ['names'], except: /^(bench|operate\/worker-check)\// },
  { pattern: /^(anew|nought|thither|whereupon|thereof)$/, use: 'again, zero, then', in: BOTH },
  { pattern: /^asked$/, use: 'requested', in: ['names'], except: /^cli\/cli\.test\.ts$/ },
  { pattern: /^papers$/, use: 'metadata', in: BOTH },
  { pattern: /^(begun)$/, use: 'started', in: BOTH },
];

/** Fields of stored records that keep their names, because stored data is never rewritten. */
export const STORED_NAMES: ReadonlySet<string> = new Set(['askedOf', 'cancelAsked', 'toldOnce']);

/** Names that version 0.2.0 replaced; the API snapshots, the settings and the documents must not contain them. CHANGELOG.md lists them. */
export const FORMER_PUBLIC_NAMES: readonly RegExp[] = [
  /\btold_already\b/,
  /\bnobody_to_ask\b/,
  /\bPDM_MOST_/,
  /\bPDM_BREAKS\b/,
  /\bcancelAsked\b/,
  /\bcancel_asked\b/,
  /\basked_for\b/,
  /\bmakeVersion\b/,
  /\bmakeRevisionObsolete\b/,
  /\bkeptUntil\b/,
  /\baskForWorkspace\b/,
  /\btakeReferenceUpdates\b/,
];
