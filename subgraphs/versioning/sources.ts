// What the resolvers of this subgraph get as their parents.
import type { CheckinRequest as AskedFor } from '../core/domain/versions/reservation.ts';
import type {
  ArtifactRecord,
  ReservationRecord,
  RevisionRecord,
  VersionRecord,
  WorkspaceRecord,
} from '../core/store/schema/collections.ts';
import type { VersionComparison as ComparedVersions } from './compare-versions.ts';
import type { VersionGraph as DrawnGraph } from './read-version-graph.ts';

/** Only its id: the rest of a document is known elsewhere. */
export type Document = { id: string };
export type Workspace = WorkspaceRecord;
export type Version = VersionRecord;
export type Revision = RevisionRecord;
/** A draft that received other content, and how to bring back what it held. */
export type DraftChange = { draft: VersionRecord; auditId: string; undoExpiresAt: Date };
export type VersionGraph = DrawnGraph;
export type VersionComparison = ComparedVersions;
export type WorkspacePermissions = WorkspaceRecord;
export type VersionPermissions = VersionRecord;
export type RevisionPermissions = RevisionRecord;
export type Code = NonNullable<VersionRecord['code']>;
export type ReleasedAs = NonNullable<VersionRecord['releasedAs']>;
export type ComparedFile = ArtifactRecord;
export type Reservation = ReservationRecord & { workspaceId: string };
export type MyReservations = { held: Reservation[]; requested: Reservation[] };
export type CheckinRequest = AskedFor;
/** The id of a user; the name is looked up. */
export type User = string;
