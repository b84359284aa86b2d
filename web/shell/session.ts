// Who is signed in. The token is given once, for a session kept by the service; the page itself keeps nothing.
import { signal } from '@preact/signals';
import { runWithToast } from '../ui/toasts.tsx';
import { CSRF_HEADER, readError, fetchService, UnreachableError, onSessionEnd } from './api-client.ts';
import { clearQueryCache } from './use-query.ts';

export type SessionUser = { id: string; name: string; role: string };
type Session = { user: SessionUser | null; expiresAt: string | null };

/** Undefined as long as it is not known, null when nobody is signed in. */
export const currentUser = signal<SessionUser | null | undefined>(undefined);
/** Whether the session of who is signed in has ended: the page waits as it is, with what was typed, until they sign in again. */
export const sessionEnded = signal(false);
/** Why signing in did not work, or why one has to do it again. */
export const signInError = signal<string | null>(null);

export const isAdmin = (): boolean => currentUser.value?.role === 'admin';
export const canWrite = (): boolean => currentUser.value?.role === 'admin' || currentUser.value?.role === 'editor';

/** Takes up the session of the cookie, or the token that the link of the first start carries behind its #. */
export async function restoreSession(): Promise<void> {
  onSessionEnd(() => {
    if (!currentUser.value) return;
    if (!sessionEnded.value)
      signInError.value =
        'Your session has ended. Sign in again; what you were looking at and what you typed is still here.';
    sessionEnded.value = true;
  });
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  if (given) await signIn(given);
  // a service that starts again: who is signed in is still to be known, and nobody has to sign in anew
  else while (!(await changeSession('GET'))) await new Promise((again) => setTimeout(again, AGAIN_MS));
}

const AGAIN_MS = 2_000;

/** Signs in with a token; a refusal is told in signInProblem. */
export async function signIn(token: string): Promise<void> {
  await changeSession('POST', JSON.stringify({ token: token.trim() }));
}

/** Ends the session, and starts the page anew: nothing of what was seen stays in it. */
export async function signOut(): Promise<void> {
  await runWithToast(async () => {
    const response = await fetchService('/session', { method: 'DELETE', headers: CSRF_HEADER });
    if (!response.ok) throw await readError(response);
    location.assign('/');
  });
}

// false: nothing answered, so who is signed in stays unknown
async function changeSession(method: 'GET' | 'POST', body?: string): Promise<boolean> {
  if (method === 'POST') signInError.value = null;
  try {
    const response = await fetchService('/session', {
      method,
      body,
      headers: { 'content-type': 'application/json', ...CSRF_HEADER },
    });
    if (!response.ok) throw await readError(response);
    const { user }: Session = await response.json();
    if (user?.id !== currentUser.value?.id) clearQueryCache(); // what the one before was shown is not the next one's to see
    if (method === 'GET') signInError.value = null;
    currentUser.value = user;
    sessionEnded.value = false;
    return true;
  } catch (error) {
    signInError.value = error instanceof Error ? error.message : String(error);
    if (method === 'GET' && error instanceof UnreachableError) return false;
    if (!sessionEnded.value) currentUser.value = null;
    return true;
  }
}
