// What the resolvers of this subgraph get as their parents.
import type { BomRow as RowOfBom } from '../core/domain/bom.ts';
import type { BomChange as ChangeOfBom } from '../core/domain/bom-compare.ts';
import type { Resolution as FoundResolution } from '../core/domain/reference.ts';
import type { ArtifactRecord } from '../core/store/collections.ts';
import type { BomLine as LineOfBom } from './bom-lines.ts';
import type { BomComparison as ComparedBoms } from './compare-boms.ts';
import type { BomOf, Bom as ReadBom } from './read-bom.ts';
import type { Reference as FoundReference } from './read-references.ts';
import type { ReferenceUpdate as FoundUpdate } from './reference-updates.ts';
import type { Impact as FoundImpact } from './release-impact.ts';
import type { DraftReplacement as ReplacedDraft } from './replace-in-drafts.ts';
import type { ResolvedAddress as ExplainedAddress } from './resolve-address.ts';
import type { Use as FoundUse } from './where-used.ts';

/** Only its id: the rest of a document is known elsewhere. */
export type Document = { id: string };
/** Only its id: the rest of a draft or version is known elsewhere. */
export type Version = { id: string };
export type Artifact = ArtifactRecord;
export type Bom = ReadBom;
export type BomRow = RowOfBom;
export type BomLine = LineOfBom;
export type BomComparison = ComparedBoms;
export type ComparedBom = BomOf;
export type BomChange = ChangeOfBom;
export type Reference = FoundReference;
export type ResolvedAddress = ExplainedAddress;
export type Resolution = FoundResolution;
export type Use = FoundUse;
export type ReferenceUpdate = FoundUpdate;
export type DraftReplacement = ReplacedDraft;
export type Impact = FoundImpact;
/** The id of a user; the name is looked up. */
export type User = string;
