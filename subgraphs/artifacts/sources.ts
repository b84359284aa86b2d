// The parent values that the resolvers of this subgraph receive, by GraphQL type.
import type { ArtifactRecord } from '../core/store/schema/collections.ts';

export type { BomRow } from '../core/domain/assembly/bom.ts';
export type { BomChange } from '../core/domain/assembly/bom-compare.ts';
export type { Resolution } from '../core/domain/assembly/reference.ts';
export type { BomLine } from './references/bom-lines.ts';
export type { BomComparison } from './references/compare-boms.ts';
export type { ResolvedAddress } from './references/explain-address.ts';
export type { Bom, BomHeader as ComparedBom } from './references/read-bom.ts';
export type { Reference } from './references/read-references.ts';
export type { ReferenceUpdate } from './references/reference-updates.ts';
export type { Impact } from './references/release-impact.ts';
export type { DraftReplacement } from './references/replace-in-drafts.ts';
export type { Use } from './references/where-used.ts';

/** Only the id; other subgraphs resolve the other fields. */
export type Document = { id: string };
/** Only the id; other subgraphs resolve the other fields. */
export type Version = { id: string };
export type Artifact = ArtifactRecord;
/** The id of a user; the name is loaded. */
export type User = string;
