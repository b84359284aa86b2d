// The parent values of this subgraph's resolvers, by GraphQL type. gateway/codegen.ts maps them.
import type { CheckinRequest as StoredRequest } from '../core/domain/versions/reservation.ts';
import type {
  ArtifactRecord,
  ReservationRecord,
  RevisionRecord,
  VersionRecord,
  ViewRecord,
  WorkspaceRecord,
} from '../core/store/schema/collections.ts';
import type { ComparedReference as ReferenceSide } from './compare-references.ts';
import type { VersionComparison as ComparedVersions } from './compare-versions.ts';
import type { VersionGraph as GraphPage } from './read-version-graph.ts';

/** Only the id: other subgraphs resolve the fields of a document. */
export type Document = { id: string };
export type Workspace = WorkspaceRecord;
export type Version = VersionRecord;
export type Revision = RevisionRecord;
export type View = ViewRecord;
/** A draft with replaced content. `auditId` names the change to undo until `undoExpiresAt`. */
export type DraftChange = { draft: VersionRecord; auditId: string; undoExpiresAt: Date };
export type VersionGraph = GraphPage;
export type VersionComparison = ComparedVersions;
export type WorkspacePermissions = WorkspaceRecord;
export type VersionPermissions = VersionRecord;
export type RevisionPermissions = RevisionRecord;
export type Code = NonNullable<VersionRecord['code']>;
export type ReleasedAs = NonNullable<VersionRecord['releasedAs']>;
export type ComparedReference = ReferenceSide;
export type ComparedFile = ArtifactRecord;
export type Reservation = ReservationRecord & { workspaceId: string };
export type MyReservations = { held: Reservation[]; requested: Reservation[]; items: Reservation[] };
export type CheckinRequest = StoredRequest;
/** The id of a user. The resolver loads the name. */
export type User = string;
/** Only the id; the documents subgraph resolves the other fields. */
export type AuditRecord = { id: string };
