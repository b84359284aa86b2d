// What somebody had asked for when he last looked, kept in this browser: so that an end that came while no page was open is told by the next one.
import type { AskedForByMe } from './mine.ts';

/** What was seen last; nothing where nothing was kept, or where it cannot be read any more. */
export function lastSeen(userId: string): AskedForByMe[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameFor(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isAsked) : [];
  } catch {
    return []; // a browser that keeps nothing (its settings say so), or something else under that name
  }
}

/** Keeps it, unless nobody looks at the page: what is told then is told again. */
export function keepSeen(userId: string, askedFor: readonly AskedForByMe[]): void {
  if (document.visibilityState !== 'visible') return;
  try {
    if (askedFor.length > 0) localStorage.setItem(nameFor(userId), JSON.stringify(askedFor));
    else localStorage.removeItem(nameFor(userId));
  } catch {
    // a browser that keeps nothing: then it is told while the page is open, as before
  }
}

const nameFor = (userId: string): string => `pdm asked for ${userId}`;

function isAsked(kept: unknown): kept is AskedForByMe {
  const { workspaceId, since, workspace } = (kept ?? {}) as Partial<AskedForByMe>;
  return (
    typeof workspaceId === 'string' && typeof since === 'string' && typeof workspace?.document?.number === 'string'
  );
}
