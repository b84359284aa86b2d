// What the resolvers of this subgraph get as their parents.
import type { BomRow as RowOfBom } from '../core/domain/assembly/bom.ts';
import type { BomChange as ChangeOfBom } from '../core/domain/assembly/bom-compare.ts';
import type { Resolution as FoundResolution } from '../core/domain/assembly/reference.ts';
import type { ArtifactRecord } from '../core/store/schema/collections.ts';
import type { BomLine as LineOfBom } from './references/bom-lines.ts';
import type { BomComparison as ComparedBoms } from './references/compare-boms.ts';
import type { BomOf, Bom as ReadBom } from './references/read-bom.ts';
import type { Reference as FoundReference } from './references/read-references.ts';
import type { ReferenceUpdate as FoundUpdate } from './references/reference-updates.ts';
import type { Impact as FoundImpact } from './references/release-impact.ts';
import type { DraftReplacement as ReplacedDraft } from './references/replace-in-drafts.ts';
import type { ResolvedAddress as ExplainedAddress } from './references/resolve-address.ts';
import type { Use as FoundUse } from './references/where-used.ts';

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
