import type { Asking } from '../../core/asking.ts';
import { standingFor } from '../../core/commands/reservations.ts';
import type { WorkspaceInPlace } from '../../core/commands/writable.ts';
import { validateComment } from '../../core/domain/text/text.ts';
import { assertWritablePlace } from '../../core/domain/versions/lifecycle.ts';
import { withCheckinRequest } from '../../core/domain/versions/reservation.ts';
import { change, get, lock } from '../../core/store/query/records.ts';
import type { Work } from '../../core/work.ts';
import type { Reservation } from '../sources.ts';

type Input = { id: string; note?: string | null };

/**
 * Asks whoever holds a workspace to give it back; how that is told to the holder is up to those who read the events. Within five minutes the same
 * words of the same person are one ask. Refuses while nobody else holds it (`not_reserved_by_other`).
 */
export async function requestCheckin(work: Work, { id, note }: Input): Promise<Reservation> {
  // the document is not locked, nor changed: who asks stands in nobody's way
  const workspace = await lock(work, 'workspaces', id);
  const document = await get(work, 'documents', workspace.documentId);

  await mayRequestCheckin(work, { document, workspace });
  const held = workspace.reservation!;
  const said = note === undefined ? undefined : validateComment(note, 'note');
  const reservation = withCheckinRequest(held, { userId: work.actor.id, note: said, now: work.now });
  if (reservation === held) {
    work.unchanged();
    return { ...held, workspaceId: id };
  }

  await change(work, 'workspaces', id, { reservation });
  const noteOf = (asked: typeof held) => asked.asks?.find(({ userId }) => userId === work.actor.id)?.note ?? null;
  work.audit({
    action: 'workspace.checkin_requested',
    documentId: document._id,
    workspaceId: id,
    versionId: workspace.draftId,
    summary: `Workspace "${workspace.name}" of ${document.number} was asked for.`,
    changes: { holderId: { from: null, to: held.userId }, note: { from: noteOf(held), to: noteOf(reservation) } },
  });
  return { ...reservation, workspaceId: id };
}

/** Refuses to ask for a workspace that nobody else holds, or that is archived. */
export async function mayRequestCheckin(by: Asking, { document, workspace }: WorkspaceInPlace): Promise<void> {
  assertWritablePlace({ document, workspace });
  await standingFor(by, 'ask', workspace, by.actor.id, by.now);
}
