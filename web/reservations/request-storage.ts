// Stores a user's pending check-in requests in the browser, so that the next visit can report those that have ended.
import type { RequestedReservation } from './my-reservations.ts';

/** Loads the stored requests; an empty list if nothing readable is stored. */
export function loadRequests(userId: string): RequestedReservation[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRequest) : [];
  } catch {
    return []; // storage is disabled, or the value is not JSON
  }
}

/** Stores the requests, unless the browser tab is hidden: changes that the user has not seen are reported again. */
export function saveRequests(userId: string, requests: readonly RequestedReservation[]): void {
  if (document.visibilityState !== 'visible') return;
  try {
    if (requests.length > 0) localStorage.setItem(storageKey(userId), JSON.stringify(requests));
    else localStorage.removeItem(storageKey(userId));
  } catch {
    // storage is disabled: changes are reported only while the page is open
  }
}

const storageKey = (userId: string): string => `pdm.checkin-requests.${userId}`;

function isRequest(stored: unknown): stored is RequestedReservation {
  const { workspaceId, since, workspace } = (stored ?? {}) as Partial<RequestedReservation>;
  return (
    typeof workspaceId === 'string' && typeof since === 'string' && typeof workspace?.document?.number === 'string'
  );
}
