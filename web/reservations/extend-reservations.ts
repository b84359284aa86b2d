// Extends the user's reservations while any tab of the page is open, also a hidden one: the user works in a CAD program.
import pLimit from 'p-limit';
import { useEffect } from 'preact/hooks';
import { ExtendReservationDocument } from '../generated/operations.ts';
import { ApiError, execute, UnreachableError } from '../shell/api-client.ts';
import { currentUser } from '../shell/session.ts';
import { messageOf } from '../ui/errors.ts';
import { readStored, writeStored } from '../ui/stored.ts';
import { dismissInfo, showInfo } from '../ui/toasts.tsx';
import { CHECK_MS, extensionDelay, MAX_DELAY_MS } from './extension-delay.ts';
import { myReservations } from './my-reservations.ts';

/** When a reservation expires, by workspace id. */
type Expiries = Record<string, string>;

const limitExtensions = pLimit(4);
const channel = new BroadcastChannel('pdm.reservations');

/**
 * Extends all reservations of the user regularly. The first tab that finds them due does it for all tabs, which share
 * the time of the next extension. Calls `reload` if a reservation has ended. Use it in one mounted component only.
 */
export function useExtensions(reload: () => void): void {
  const held = myReservations.value?.held ?? [];
  useEffect(() => {
    if (held.length > 0) saveDue(Math.min(loadDue(), Date.now() + extensionDelay(held, Date.now())));
  }, [held]);
  useEffect(() => {
    const check = () => void inOneTab(() => extendIfDue(reload));
    const timer = setInterval(check, CHECK_MS);
    addEventListener('online', check);
    document.addEventListener('visibilitychange', check); // also after the computer has slept
    channel.onmessage = ({ data }: MessageEvent<Expiries>) => update(data);
    return () => {
      clearInterval(timer);
      removeEventListener('online', check);
      document.removeEventListener('visibilitychange', check);
      channel.onmessage = null;
    };
  }, []);
}

/** Extends a reservation by the time of its check-out, and notifies the other tabs. */
export async function extendReservation(id: string): Promise<void> {
  publish(await requestExtension(id));
}

/** Returns the expiry of a reservation: the later of that in a response and that of an extension since. */
export function currentExpiry(workspaceId: string, expiresAt: string): string {
  const known = myReservations.value?.held.find((each) => each.workspaceId === workspaceId)?.expiresAt;
  return known && Date.parse(known) > Date.parse(expiresAt) ? known : expiresAt;
}

// over plain HTTP there are no locks; should two tabs then extend at the same moment, both requests have the same effect
async function inOneTab(action: () => Promise<void>): Promise<void> {
  const locks: LockManager | undefined = navigator.locks;
  if (locks) await locks.request('pdm.extend', { ifAvailable: true }, async (lock) => (lock ? action() : undefined));
  else await action();
}

async function extendIfDue(reload: () => void): Promise<void> {
  const held = myReservations.value?.held ?? [];
  const now = Date.now();
  if (held.length === 0 || now < loadDue()) return;
  saveDue(now + extensionDelay(held, now)); // before the requests, so that no other tab sends them too
  const results = await Promise.allSettled(
    held.map(({ workspaceId }) => limitExtensions(() => requestExtension(workspaceId))),
  );
  publish(Object.assign({}, ...results.map((each) => (each.status === 'fulfilled' ? each.value : {}))));
  const errors = results.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  if (errors.some(isEnd)) reload();
  const failures = errors.filter((each) => !isEnd(each));
  if (failures.length > 0) saveDue(Date.now()); // again at the next check
  // the frame shows that the service cannot be reached
  const error = failures.find((each) => !(each instanceof UnreachableError));
  if (error) showInfo('extend', `Your check-outs could not be extended: ${messageOf(error)}`, { icon: 'warning' });
  else dismissInfo('extend');
}

// the codes if a reservation was ended by a check-in, or by its expiry while the page could not extend it
const END_CODES = new Set(['lease_lost', 'workspace_reserved', 'workspace_archived', 'document_archived', 'not_found']);
const isEnd = (error: unknown): boolean => error instanceof ApiError && END_CODES.has(error.code);

async function requestExtension(id: string): Promise<Expiries> {
  const { workspaceId, expiresAt } = (await execute(ExtendReservationDocument, { id })).heartbeatCheckout;
  return { [workspaceId]: expiresAt };
}

function publish(extended: Expiries): void {
  update(extended);
  channel.postMessage(extended);
}

function update(extended: Expiries): void {
  const known = myReservations.value;
  if (!known?.held.some(({ workspaceId }) => workspaceId in extended)) return;
  const held = known.held.map((each) => ({ ...each, expiresAt: extended[each.workspaceId] ?? each.expiresAt }));
  myReservations.value = { ...known, held };
}

let ownDue = Number.POSITIVE_INFINITY; // if storage is disabled, each tab extends the reservations
const dueKey = (): string => `pdm.extend-at.${currentUser.value?.id}`;

/** Returns the time of the next extension in ms: Infinity if none is planned, now if the clock was set back. */
function loadDue(): number {
  const stored = readStored(dueKey());
  const due = typeof stored === 'number' ? stored : ownDue;
  return Number.isFinite(due) && due > Date.now() + 2 * MAX_DELAY_MS ? Date.now() : due;
}

function saveDue(due: number): void {
  ownDue = due;
  writeStored(dueKey(), due);
}
