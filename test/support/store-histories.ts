// Random histories of commands on a store, for the comparison with the audit log.
import { deleteArtifact } from '../../subgraphs/artifacts/delete-artifact.ts';
import { generateSessionSecret } from '../../subgraphs/core/domain/access/session.ts';
import { generateToken } from '../../subgraphs/core/domain/access/token.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { Command, Services } from '../../subgraphs/core/work.ts';
import { createUser } from '../../subgraphs/documents/access/create-user.ts';
import { endSession } from '../../subgraphs/documents/access/end-session.ts';
import { issueToken } from '../../subgraphs/documents/access/issue-token.ts';
import { revokeToken } from '../../subgraphs/documents/access/revoke-token.ts';
import { startSession } from '../../subgraphs/documents/access/start-session.ts';
import { updateUser } from '../../subgraphs/documents/access/update-user.ts';
import { archiveDocument, unarchiveDocument } from '../../subgraphs/documents/archive-document.ts';
import { copyDocument } from '../../subgraphs/documents/copy-document.ts';
import { deleteDocument } from '../../subgraphs/documents/delete-document.ts';
import { createFolder } from '../../subgraphs/documents/folders/create-folder.ts';
import { deleteFolder } from '../../subgraphs/documents/folders/delete-folder.ts';
import { updateFolder } from '../../subgraphs/documents/folders/update-folder.ts';
import { moveDocuments } from '../../subgraphs/documents/move-documents.ts';
import { updateDocument } from '../../subgraphs/documents/update-document.ts';
import { createWebhook } from '../../subgraphs/documents/webhooks/create-webhook.ts';
import { deleteWebhook } from '../../subgraphs/documents/webhooks/delete-webhook.ts';
import { disableWebhook } from '../../subgraphs/documents/webhooks/disable-webhook.ts';
import { rotateWebhookSecret } from '../../subgraphs/documents/webhooks/rotate-webhook-secret.ts';
import { updateWebhook } from '../../subgraphs/documents/webhooks/update-webhook.ts';
import { restoreVersion } from '../../subgraphs/versioning/restore-version.ts';
import { obsoleteRevision } from '../../subgraphs/versioning/revisions/obsolete-revision.ts';
import { releaseVersion } from '../../subgraphs/versioning/revisions/release-version.ts';
import { takeBackRevision } from '../../subgraphs/versioning/revisions/take-back-revision.ts';
import { updateRevision } from '../../subgraphs/versioning/revisions/update-revision.ts';
import { takeOver } from '../../subgraphs/versioning/take-over.ts';
import { undoDraftChange } from '../../subgraphs/versioning/undo-draft-change.ts';
import { updateVersion } from '../../subgraphs/versioning/update-version.ts';
import { createView } from '../../subgraphs/versioning/views/create-view.ts';
import { deleteView } from '../../subgraphs/versioning/views/delete-view.ts';
import { updateView } from '../../subgraphs/versioning/views/update-view.ts';
import { archiveWorkspace, unarchiveWorkspace } from '../../subgraphs/versioning/workspaces/archive-workspace.ts';
import { checkinWorkspace } from '../../subgraphs/versioning/workspaces/checkin-workspace.ts';
import { checkoutWorkspace, heartbeatCheckout } from '../../subgraphs/versioning/workspaces/checkout-workspace.ts';
import { createWorkspace } from '../../subgraphs/versioning/workspaces/create-workspace.ts';
import { deleteWorkspace } from '../../subgraphs/versioning/workspaces/delete-workspace.ts';
import { requestCheckin } from '../../subgraphs/versioning/workspaces/request-checkin.ts';
import { updateWorkspace } from '../../subgraphs/versioning/workspaces/update-workspace.ts';
import { content } from './content.ts';
import { requestAs } from './store.ts';

type Draw = (below: number) => number;

const COMMANDS = 12;

const scene = (draw: Draw) => ({
  camera: { position: [draw(100), draw(100), draw(100)], target: [0, 0, 0] },
  hidden: Array.from({ length: draw(draw(5) ? 3 : 600) }, (_, at) => `frame/bolt-${at}`),
  transparent: [],
  sections: [],
});

/** Runs random commands, some of which are refused. Returns the ids of the documents that they wrote. */
export async function playHistory(services: Services, draw: Draw): Promise<string[]> {
  const { as, document, upload, version, result } = content(services);
  const some = <T>(items: readonly T[]): T | undefined => items[draw(items.length)];
  const word = () => `${some(['Bracket', 'Plate', 'Bolt', 'Größe', '部品', 'a'.repeat(30)])} ${draw(1e6)}`;
  const text = () => (draw(8) ? word() : 'long '.repeat(1_000 + draw(100)));

  const documents = [await document('model'), await document(draw(2) ? 'assembly' : 'model')];
  const drafts = documents.map(({ draftId }) => draftId);
  const workspaces = documents.map(({ workspaceId }) => workspaceId);
  const versions: string[] = [];
  const revisions: string[] = [];
  const backups: string[] = [];
  const folders: string[] = [];
  const users: string[] = [];
  const tokens: string[] = [];
  const sessions: string[] = [];
  const webhooks: string[] = [];
  const views: string[] = [];

  const run = async <I, R>(
    command: Command<I, R>,
    input: I,
    role: 'editor' | 'admin' = 'editor',
  ): Promise<R | null> => {
    try {
      return await as(requestAs(role), command, input);
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  };
  const attempt = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  const documentId = () => some(documents)!.documentId;
  const lines = () =>
    Array.from({ length: 1 + draw(draw(5) ? 3 : 60) }, () => ({
      reference: { location: `pdm://documents/${documentId()}` },
    }));

  const commands: (() => Promise<unknown>)[] = [
    () => run(updateDocument, { id: documentId(), name: word(), description: text() }),
    () => run(archiveDocument, { id: documentId() }),
    () => run(unarchiveDocument, { id: documentId() }),
    async () => {
      const copied = await run(copyDocument, { id: documentId(), name: word() });
      if (copied) documents.push({ ...documents[0]!, documentId: copied._id });
    },
    () => run(deleteDocument, { id: some(documents.slice(1))!.documentId }, 'admin'),
    async () => folders.push((await run(createFolder, { name: word(), parentId: some(folders) ?? null }))?._id ?? 'x'),
    () => run(updateFolder, { id: some(folders) ?? 'x', name: word() }),
    () => run(deleteFolder, { id: some(folders) ?? 'x' }),
    () => run(moveDocuments, { ids: [documentId()], folderId: some(folders) ?? null }),
    () => attempt(upload(some(drafts)!, 'source', text(), `${word()}.stp`)),
    () => attempt(upload(some(drafts)!, 'attachment.note', text(), 'note.txt')),
    () => attempt(upload(drafts[1]!, 'asm-json', JSON.stringify({ templates: lines() }), 'asm.json')),
    () => attempt(result(some(drafts)!, 'thumbnail', 'x')),
    () => run(deleteArtifact, { versionId: some(drafts)!, kind: some(['source', 'attachment.note', 'asm-json'])! }),
    async () =>
      attempt(
        version(some(workspaces)!).then(({ _id }) => {
          versions.push(_id);
        }),
      ),
    async () =>
      attempt(
        version(workspaces[1]!).then(({ _id }) => {
          versions.push(_id);
        }),
      ),
    () => run(updateVersion, { id: some([...drafts, ...versions])!, name: word(), comment: text() }),
    async () =>
      revisions.push((await run(releaseVersion, { versionId: some(versions) ?? 'x', comment: text() }))?._id ?? 'x'),
    () => run(updateRevision, { id: some(revisions) ?? 'x', comment: text() }),
    () => run(obsoleteRevision, { id: some(revisions) ?? 'x' }, 'admin'),
    () => run(takeBackRevision, { id: some(revisions) ?? 'x' }, 'admin'),
    async () => {
      const created = await run(createWorkspace, {
        documentId: documentId(),
        name: word(),
        description: text(),
        fromVersionId: some(versions) ?? 'x',
      });
      if (created) {
        workspaces.push(created._id);
        drafts.push(created.draftId);
      }
    },
    () => run(updateWorkspace, { id: some(workspaces)!, name: word(), description: text() }),
    () => run(archiveWorkspace, { id: some(workspaces)! }),
    () => run(unarchiveWorkspace, { id: some(workspaces)! }),
    () => run(deleteWorkspace, { id: some(workspaces.slice(1))! }, 'admin'),
    () => run(checkoutWorkspace, { id: some(workspaces)!, note: text() }),
    () => run(heartbeatCheckout, { id: some(workspaces)! }),
    () => run(requestCheckin, { id: some(workspaces)!, note: word() }, 'admin'),
    () => run(checkinWorkspace, { id: some(workspaces)!, force: true }, 'admin'),
    async () =>
      backups.push(
        (await run(takeOver, { workspaceId: some(workspaces)!, versionId: some(versions) ?? 'x', force: true }))
          ?.auditId ?? 'x',
      ),
    async () =>
      backups.push(
        (await run(restoreVersion, { workspaceId: some(workspaces)!, versionId: some(versions) ?? 'x' }))?.auditId ??
          'x',
      ),
    () => run(undoDraftChange, { workspaceId: some(workspaces)!, auditId: some(backups) ?? 'x' }),
    async () =>
      users.push(
        (await run(createUser, { name: word(), role: some(['viewer', 'editor'] as const)! }, 'admin'))?._id ?? 'x',
      ),
    () =>
      run(
        updateUser,
        { id: some(users) ?? 'x', name: word(), role: some(['viewer', 'editor', 'admin'] as const)! },
        'admin',
      ),
    () => run(updateUser, { id: some(users) ?? 'x', disabled: draw(2) === 0 }, 'admin'),
    async () => {
      const expiresAt = draw(2) ? new Date(Date.now() + 1e6 + draw(1e9)) : null;
      const fields = {
        userId: some(users) ?? 'usr_x',
        role: 'editor' as const,
        name: word(),
        token: generateToken(),
        expiresAt,
      };
      tokens.push((await run(issueToken, fields, 'admin'))?._id ?? 'x');
    },
    () => run(revokeToken, { id: some(tokens) ?? 'x' }, 'admin'),
    async () => {
      const secret = generateSessionSecret();
      if (
        await run(startSession, { secret, previousSecret: some(sessions) ?? null, expiresAt: null, providerRole: null })
      )
        sessions.push(secret);
    },
    () => run(endSession, { secret: some(sessions) ?? generateSessionSecret() }),
    async () =>
      webhooks.push(
        (await run(createWebhook, { url: `http://127.0.0.1/${draw(1e6)}`, name: word() }, 'admin'))?._id ?? 'x',
      ),
    () => run(updateWebhook, { id: some(webhooks) ?? 'x', name: word(), enabled: draw(2) === 0 }, 'admin'),
    () => run(rotateWebhookSecret, { id: some(webhooks) ?? 'x' }, 'admin'),
    () => run(disableWebhook, { id: some(webhooks) ?? 'x', reason: text() }, 'admin'),
    async () =>
      views.push(
        (await run(createView, { versionId: some([...drafts, ...versions])!, name: word(), scene: scene(draw) }))
          ?._id ?? 'x',
      ),
    () => run(updateView, { id: some(views) ?? 'x', name: word(), scene: scene(draw) }),
    () => run(deleteView, { id: some(views) ?? 'x' }),
    () => run(deleteWebhook, { id: some(webhooks) ?? 'x' }, 'admin'),
  ];
  for (let i = 0; i < COMMANDS; i++) await some(commands)!();
  return [...new Set(documents.map((each) => each.documentId))];
}
