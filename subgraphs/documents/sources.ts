// The parent values of this subgraph's resolvers, by GraphQL type. gateway/codegen.ts maps them.
import type { Actor } from '../core/domain/access/actor.ts';
import type { Link } from '../core/loaders.ts';
import type {
  DeliveryRecord,
  DocumentRecord,
  FolderRecord,
  SessionRecord,
  AuditRecord as StoredAudit,
  TokenRecord,
  UserRecord,
  WebhookRecord,
} from '../core/store/schema/collections.ts';
import type { StorageUsage } from './administration/read-storage.ts';
import type { SealedEvent } from './events/read-events.ts';

export type Document = DocumentRecord;
export type DocumentPermissions = DocumentRecord;
/** A folder with its path, which depends on all folders above it. */
export type Folder = FolderRecord & { path: string };
export type AuditRecord = StoredAudit;
export type AuditActor = StoredAudit['by'];
/** The id of a user. The resolver loads the name. */
export type User = string;
export type Me = Actor;
export type Account = UserRecord;
export type Token = TokenRecord;
export type Session = SessionRecord;
export type FolderUsage = StorageUsage['folders'][number];
export type CreatedToken = TokenRecord & { token: string };
export type CloudEvent = SealedEvent;
export type Webhook = WebhookRecord;
export type WebhookWithSecret = WebhookRecord & { secret: string };
export type WebhookDelivery = DeliveryRecord;
export type DeliveryAttempt = DeliveryRecord['tries'][number];
/** Only the id; other subgraphs resolve the other fields. */
export type Version = Link;
export type Workspace = Link;
export type Revision = Link;
export type Job = Link;
