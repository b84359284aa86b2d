// Who is signed in. The token is given once, for a session kept by the service; the page itself keeps nothing.
import { signal } from '@preact/signals';
import { problemOf, whenSignedOut } from './ask.ts';
import { forgetAnswers } from './use-ask.ts';

export type Person = { id: string; name: string; role: string };
type Session = { user: Person | null; expiresAt: string | null };

/** Undefined as long as it is not known, null when nobody is signed in. */
export const me = signal<Person | null | undefined>(undefined);
/** Why signing in did not work, or why one has to do it again. */
export const signInProblem = signal<string | null>(null);

export const isAdmin = (): boolean => me.value?.role === 'admin';
export const mayWrite = (): boolean => me.value?.role === 'admin' || me.value?.role === 'editor';

/** Takes up the session of the cookie, or the token that the link of the first start carries behind its #. */
export async function restoreSession(): Promise<void> {
  whenSignedOut(() => {
    if (me.value) signInProblem.value = 'Your session has ended. Sign in again; what you were looking at is still here.';
    me.value = null;
  });
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  await (given ? signIn(given) : changeSession('GET'));
}

/** Signs in with a token; a refusal is told in signInProblem. */
export const signIn = (token: string): Promise<void> => changeSession('POST', JSON.stringify({ token: token.trim() }));

/** Ends the session, and starts the page anew: nothing of what was seen stays in it. */
export async function signOut(): Promise<void> {
  await fetch('/session', { method: 'DELETE', headers: { 'x-pdm-csrf': '1' } });
  location.assign('/');
}

async function changeSession(method: 'GET' | 'POST', body?: string): Promise<void> {
  if (method === 'POST') signInProblem.value = null;
  try {
    const response = await fetch('/session', { method, body, headers: { 'content-type': 'application/json', 'x-pdm-csrf': '1' } });
    if (!response.ok) throw await problemOf(response);
    const { user }: Session = await response.json();
    if (method === 'POST') forgetAnswers(); // what the one before was shown is not the next one's to see
    me.value = user;
  } catch (error) {
    me.value = null;
    signInProblem.value = error instanceof Error ? error.message : String(error);
  }
}
