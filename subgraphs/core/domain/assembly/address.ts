import { refuse } from '../errors.ts';

/** What an address asks for: the newest that counts, the release with a label, or the version with a number. */
export type AddressAt = { as: 'newest' } | { as: 'revision'; label: string } | { as: 'version'; n: number };

/** A document by its number (upper case) or its id, and which of its states. */
export type Address = { target: string; at: AddressAt };

/** The grammar of addresses; what follows `@` is a version when it is v and digits, else a label. */
export const ADDRESS = /^pdm:\/\/documents\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:@([A-Za-z0-9][A-Za-z0-9._-]{0,63}))?$/;
const VERSION = /^v(\d{1,9})$/;

/** Reads an address `pdm://documents/<number or id>[@<revision> | @v<n>]`. Refuses anything else with `bad_address`. */
export function parseAddress(text: string): Address {
  const [, named, at] = ADDRESS.exec(text) ?? [];
  if (named === undefined)
    refuse(
      'bad_address',
      `"${text.slice(0, 200)}" is not an address. It must look like pdm://documents/<number or id>, with @<revision> or @v<n>.`,
    );
  return { target: named.includes('_') ? named : named.toUpperCase(), at: readAt(at) };
}

/** Writes an address as the service does. */
export function formatAddress({ target, at }: Address): string {
  const suffix = at.as === 'newest' ? '' : at.as === 'version' ? `@v${at.n}` : `@${at.label}`;
  return `pdm://documents/${target}${suffix}`;
}

/** One text for each address, however it was written: to compare, and to look up. */
export const addressKey = formatAddress;

function readAt(at: string | undefined): AddressAt {
  if (at === undefined) return { as: 'newest' };
  const n = VERSION.exec(at)?.[1];
  return n === undefined ? { as: 'revision', label: at } : { as: 'version', n: Number(n) };
}
