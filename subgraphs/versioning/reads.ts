import type DataLoader from 'dataloader';
import { liveReservation } from '../core/domain/reservation.ts';
import type { WorkspaceRecord } from '../core/store/collections.ts';
import type { Reservation } from './sources.ts';

/** Who holds the draft of a workspace now; an expired reservation is none. */
export function reservationOf(workspace: WorkspaceRecord, now: Date): Reservation | null {
  const live = liveReservation(workspace, now);
  return live && { ...live, workspaceId: workspace._id };
}

/** A record that another record names and that therefore exists. */
export async function existing<R>(loader: DataLoader<string, R | null>, id: string): Promise<R> {
  const found = await loader.load(id);
  if (!found) throw new Error(`The store names ${id} and does not hold it`);
  return found;
}
