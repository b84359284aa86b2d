// What the resolvers of this subgraph get as their parents.
import type { ArtifactRecord } from '../core/store/collections.ts';

/** Only its id: the rest of a document is known elsewhere. */
export type Document = { id: string };
/** Only its id: the rest of a draft or version is known elsewhere. */
export type Version = { id: string };
export type Artifact = ArtifactRecord;
export type { Resolution } from '../core/domain/reference.ts';
export type { Reference } from './read-references.ts';
export type { ResolvedAddress } from './resolve-address.ts';
/** The id of a user; the name is looked up. */
export type User = string;
