// Who is signed in. The token is given once, for a session kept by the service; the page itself keeps nothing.
import { signal } from '@preact/signals';
import { attempt } from '../ui/notes.tsx';
import { OURS, problemOf, reach, Unreachable, whenSignedOut } from './ask.ts';
import { forgetAnswers } from './use-ask.ts';

export type Person = { id: string; name: string; role: string };
type Session = { user: Person | null; expiresAt: string | null };

/** Undefined as long as it is not known, null when nobody is signed in. */
export const me = signal<Person | null | undefined>(undefined);
/** Whether the session of who is signed in has ended: the page waits as it is, with what was typed, until they sign in again. */
export const ended = signal(false);
/** Why signing in did not work, or why one has to do it again. */
export const signInProblem = signal<string | null>(null);

export const isAdmin = (): boolean => me.value?.role === 'admin';
export const mayWrite = (): boolean => me.value?.role === 'admin' || me.value?.role === 'editor';

/** Takes up the session of the cookie, or the token that the link of the first start carries behind its #. */
export async function restoreSession(): Promise<void> {
  whenSignedOut(() => {
    if (!me.value) return;
    if (!ended.value)
      signInProblem.value =
        'Your session has ended. Sign in again; what you were looking at and what you typed is still here.';
    ended.value = true;
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
  await attempt(async () => {
    const response = await reach('/session', { method: 'DELETE', headers: OURS });
    if (!response.ok) throw await problemOf(response);
    location.assign('/');
  });
}

// false: nothing answered, so who is signed in stays unknown
async function changeSession(method: 'GET' | 'POST', body?: string): Promise<boolean> {
  if (method === 'POST') signInProblem.value = null;
  try {
    const response = await reach('/session', {
      method,
      body,
      headers: { 'content-type': 'application/json', ...OURS },
    });
    if (!response.ok) throw await problemOf(response);
    const { user }: Session = await response.json();
    if (user?.id !== me.value?.id) forgetAnswers(); // what the one before was shown is not the next one's to see
    if (method === 'GET') signInProblem.value = null;
    me.value = user;
    ended.value = false;
    return true;
  } catch (error) {
    signInProblem.value = error instanceof Error ? error.message : String(error);
    if (method === 'GET' && error instanceof Unreachable) return false;
    if (!ended.value) me.value = null;
    return true;
  }
}
