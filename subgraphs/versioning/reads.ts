import type DataLoader from 'dataloader';
import { notFound } from '../core/domain/errors.ts';
import { liveReservation } from '../core/domain/versions/reservation.ts';
import type { WorkspaceRecord } from '../core/store/schema/collections.ts';
import type { Reservation } from './sources.ts';

/** Who holds the draft of a workspace now; an expired reservation is none. */
export function reservationOf(workspace: WorkspaceRecord, now: Date): Reservation | null {
  const live = liveReservation(workspace, now);
  return live && { ...live, workspaceId: workspace._id };
}

/** A record that another record names. Refuses with `not_found` when it was deleted between the reading of the two: a read holds no lock. */
export async function existing<R>(loader: DataLoader<string, R | null>, what: string, id: string): Promise<R> {
  const found = await loader.load(id);
  if (!found) throw notFound(what, id);
  return found;
}

/** Those records of a list of ids that are still there, in the order of the ids. */
export async function stillThere<R>(loader: DataLoader<string, R | null>, ids: readonly string[]): Promise<R[]> {
  const found = await Promise.all(ids.map((id) => loader.load(id)));
  return found.filter((record) => record !== null);
}
