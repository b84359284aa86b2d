// The session of the signed-in user. The service stores the session; the web app stores no token.
import { signal } from '@preact/signals';
import { messageOf } from '../ui/errors.ts';
import { runWithToast } from '../ui/toasts.tsx';
import { CSRF_HEADER, fetchService, onSessionEnd, readError, UnreachableError } from './api-client.ts';
import { clearQueryCache } from './use-query.ts';

export type SessionUser = { id: string; name: string; role: string };
type Session = { user: SessionUser | null; expiresAt: string | null; setupRequired?: boolean };

/** Undefined until known, null when nobody is signed in. */
export const currentUser = signal<SessionUser | null | undefined>(undefined);
/** True if the user signed in with the token of the first start. */
export const setupRequired = signal(false);
/** True after the session has ended, while a dialog over the current view asks the user to sign in again. */
export const sessionEnded = signal(false);
/** Why signing in failed or is required again. */
export const signInError = signal<string | null>(null);

export const isAdmin = (): boolean => currentUser.value?.role === 'admin';
export const canWrite = (): boolean => currentUser.value?.role === 'admin' || currentUser.value?.role === 'editor';

/**
 * Signs in with the token in the URL fragment (a sign-in link), else restores the session. A sign-in link also works in
 * a tab that already shows the page: then only the fragment changes.
 */
export async function restoreSession(): Promise<void> {
  addEventListener('hashchange', () => {
    const token = takeToken();
    if (token) void signIn(token);
  });
  onSessionEnd(() => {
    if (!currentUser.value) return;
    if (!sessionEnded.value) signInError.value = 'Your session has ended. Sign in to continue where you left off.';
    sessionEnded.value = true;
  });
  const token = takeToken();
  if (token) await signIn(token);
  // while the service restarts, keep trying instead of asking for a new sign-in
  else while (!(await requestSession('GET'))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}

const RETRY_MS = 2_000;

/** Returns the token of the URL fragment and removes it from the address bar. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Signs in with a token; an error is reported in `signInError`. */
export async function signIn(token: string): Promise<void> {
  await requestSession('POST', JSON.stringify({ token: token.trim() }));
}

/** Ends the session and reloads the page, which discards all data. */
export async function signOut(): Promise<void> {
  await runWithToast(async () => {
    const response = await fetchService('/session', { method: 'DELETE', headers: CSRF_HEADER });
    if (!response.ok) throw await readError(response);
    location.assign('/');
  });
}

// For GET, returns false if the service is unreachable; the user is then still unknown.
async function requestSession(method: 'GET' | 'POST', body?: string): Promise<boolean> {
  if (method === 'POST') signInError.value = null;
  try {
    const response = await fetchService('/session', {
      method,
      body,
      headers: { 'content-type': 'application/json', ...CSRF_HEADER },
    });
    if (!response.ok) throw await readError(response);
    const session: Session = await response.json();
    const { user } = session;
    if (user?.id !== currentUser.value?.id) clearQueryCache(); // another user must not see the cached data
    if (method === 'GET') signInError.value = null;
    currentUser.value = user;
    setupRequired.value = session.setupRequired === true;
    sessionEnded.value = false;
    return true;
  } catch (error) {
    signInError.value = messageOf(error);
    if (method === 'GET' && error instanceof UnreachableError) return false;
    if (!sessionEnded.value) currentUser.value = null;
    return true;
  }
}
