// Stores a user's pending check-in requests in the browser, so that the next visit can report those that have ended.
import { readStored, writeStored } from '../ui/stored.ts';
import type { RequestedReservation } from './my-reservations.ts';

/** Loads the stored requests; an empty list if nothing readable is stored. */
export function loadRequests(userId: string): RequestedReservation[] {
  const stored = readStored(storageKey(userId));
  return Array.isArray(stored) ? stored.filter(isRequest) : [];
}

/** Stores the requests, unless the browser tab is hidden: changes that the user has not seen are reported again. */
export function saveRequests(userId: string, requests: readonly RequestedReservation[]): void {
  if (document.visibilityState !== 'visible') return;
  writeStored(storageKey(userId), requests.length > 0 ? requests : undefined);
}

const storageKey = (userId: string): string => `pdm.checkin-requests.${userId}`;

function isRequest(stored: unknown): stored is RequestedReservation {
  const { workspaceId, since, workspace } = (stored ?? {}) as Partial<RequestedReservation>;
  return (
    typeof workspaceId === 'string' && typeof since === 'string' && typeof workspace?.document?.number === 'string'
  );
}
