// What a user keeps in this browser: saved searches, and the starred and recent documents.
import { computed, signal } from '@preact/signals';
import { isObject } from '../shell/is-object.ts';
import { currentUser } from '../shell/session.ts';
import { readStored, writeStored } from '../ui/stored.ts';

export type SavedSearch = { name: string; url: string };
export type KeptDocument = { id: string; number: string; name: string; kind: string };
type Lists = { searches: readonly SavedSearch[]; starred: readonly KeptDocument[]; recent: readonly KeptDocument[] };

const MAX_RECENT = 8;
const EMPTY: Lists = { searches: [], starred: [], recent: [] };

const changes = signal(0);
const keyOf = () => `lists-${currentUser.value?.id}`;
const current = computed(() => {
  changes.value; // reads the storage again
  const stored = readStored(keyOf());
  return isObject(stored) ? { ...EMPTY, ...stored } : EMPTY;
});

/** The lists of the current user. */
export const personalLists = (): Lists => current.value;

function change(changed: Partial<Lists>): void {
  writeStored(keyOf(), { ...personalLists(), ...changed });
  changes.value += 1;
}

/** Saves a search; one with the same name is replaced. */
export function saveSearch(search: SavedSearch): void {
  const others = personalLists().searches.filter(({ name }) => name !== search.name);
  change({ searches: [...others, search].sort((a, b) => a.name.localeCompare(b.name)) });
}

export function deleteSearch(name: string): void {
  change({ searches: personalLists().searches.filter((search) => search.name !== name) });
}

export const isStarred = (id: string): boolean => personalLists().starred.some((kept) => kept.id === id);

export function toggleStar({ id, number, name, kind }: KeptDocument): void {
  const others = personalLists().starred.filter((kept) => kept.id !== id);
  change({ starred: isStarred(id) ? others : [...others, { id, number, name, kind }] });
}

/** Puts an opened document first in the list of recent ones. */
export function rememberDocument({ id, number, name, kind }: KeptDocument): void {
  const others = personalLists().recent.filter((kept) => kept.id !== id);
  change({ recent: [{ id, number, name, kind }, ...others].slice(0, MAX_RECENT) });
}

/** Removes a document that no longer exists. */
export function forgetDocument(idOrNumber: string): void {
  const others = (kept: readonly KeptDocument[]) =>
    kept.filter(({ id, number }) => id !== idOrNumber && number !== idOrNumber);
  const { starred, recent } = personalLists();
  change({ starred: others(starred), recent: others(recent) });
}
