// Loads records that other records refer to, and the reservations of workspaces.
import type DataLoader from 'dataloader';
import { notFound } from '../core/domain/errors.ts';
import { liveReservation } from '../core/domain/versions/reservation.ts';
import type { WorkspaceRecord } from '../core/store/schema/collections.ts';
import type { Reservation } from './sources.ts';

/** Returns the current reservation of a workspace; null if there is none or it has expired. */
export function reservationOf(workspace: WorkspaceRecord, now: Date): Reservation | null {
  const live = liveReservation(workspace, now);
  return live && { ...live, workspaceId: workspace._id };
}

/** Loads a record that another record refers to. Throws `not_found` if it was deleted since that record was read. */
export async function loadExisting<R>(loader: DataLoader<string, R | null>, what: string, id: string): Promise<R> {
  const found = await loader.load(id);
  if (!found) throw notFound(what, id);
  return found;
}

/** Loads the records with these ids in their order, and omits those deleted since. */
export async function loadPresent<R>(loader: DataLoader<string, R | null>, ids: readonly string[]): Promise<R[]> {
  const found = await Promise.all(ids.map((id) => loader.load(id)));
  return found.filter((record) => record !== null);
}
