// The parent values that the resolvers of this subgraph receive. gateway/codegen.ts finds them by their GraphQL type
// name.
import type { BomRow as BomRowSource } from '../core/domain/assembly/bom.ts';
import type { BomChange as BomChangeSource } from '../core/domain/assembly/bom-compare.ts';
import type { Resolution as ResolutionSource } from '../core/domain/assembly/reference.ts';
import type { ArtifactRecord } from '../core/store/schema/collections.ts';
import type { BomLine as BomLineSource } from './references/bom-lines.ts';
import type { BomComparison as BomComparisonSource } from './references/compare-boms.ts';
import type { ResolvedAddress as ResolvedAddressSource } from './references/explain-address.ts';
import type { BomHeader, Bom as BomSource } from './references/read-bom.ts';
import type { Reference as ReferenceSource } from './references/read-references.ts';
import type { ReferenceUpdate as ReferenceUpdateSource } from './references/reference-updates.ts';
import type { Impact as ImpactSource, ReleaseImpact as ReleaseImpactSource } from './references/release-impact.ts';
import type { DraftReplacement as DraftReplacementSource } from './references/replace-in-drafts.ts';
import type { Use as UseSource } from './references/where-used.ts';

/** Only the id; other subgraphs resolve the other fields. */
export type Document = { id: string };
/** Only the id; other subgraphs resolve the other fields. */
export type Version = { id: string };
export type Artifact = ArtifactRecord;
export type Bom = BomSource;
export type BomRow = BomRowSource;
export type BomLine = BomLineSource;
export type BomComparison = BomComparisonSource;
export type ComparedBom = BomHeader;
export type BomChange = BomChangeSource;
export type Reference = ReferenceSource;
export type ResolvedAddress = ResolvedAddressSource;
export type Resolution = ResolutionSource;
export type Use = UseSource;
export type ReferenceUpdate = ReferenceUpdateSource;
export type DraftReplacement = DraftReplacementSource;
export type Impact = ImpactSource;
export type ReleaseImpact = ReleaseImpactSource;
/** The id of a user; the name is loaded. */
export type User = string;
/** Only the id; the jobs subgraph resolves the other fields. */
export type Job = { id: string };
