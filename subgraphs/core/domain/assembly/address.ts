// Addresses of documents: pdm://documents/NUMBER[@REVISION|@vN].

import { refuse } from '../errors.ts';

/** The state that an address names: the newest release, the release with a label, or the version with a number. */
export type AddressAt = { as: 'newest' } | { as: 'revision'; label: string } | { as: 'version'; n: number };

/** A document, by its number in upper case or its id, and one of its states. */
export type Address = { target: string; at: AddressAt };

/** The grammar of addresses. The suffix after `@` is a version if it is v and digits, otherwise a label. */
export const ADDRESS = /^pdm:\/\/documents\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:@([A-Za-z0-9][A-Za-z0-9._-]{0,63}))?$/;
const VERSION = /^v(\d{1,9})$/;

/** Parses an address `pdm://documents/<number or id>[@<revision> | @v<n>]`. Throws `bad_address`. */
export function parseAddress(text: string): Address {
  const [, target, suffix] = ADDRESS.exec(text) ?? [];
  if (target === undefined)
    refuse(
      'bad_address',
      `"${text.slice(0, 200)}" is not a valid address. Use pdm://documents/<number or id>, optionally with @<revision> or @v<n>.`,
    );
  // Ids contain an underscore and are case-sensitive.
  return { target: target.includes('_') ? target : target.toUpperCase(), at: parseSuffix(suffix) };
}

/** Formats an address. */
export function formatAddress({ target, at }: Address): string {
  const document = `pdm://documents/${target}`;
  if (at.as === 'newest') return document;
  return at.as === 'version' ? `${document}@v${at.n}` : `${document}@${at.label}`;
}

/** Returns the normalized text of an address, for comparison and lookup. */
export const addressKey = formatAddress;

function parseSuffix(suffix: string | undefined): AddressAt {
  if (suffix === undefined) return { as: 'newest' };
  const n = VERSION.exec(suffix)?.[1];
  return n === undefined ? { as: 'revision', label: suffix } : { as: 'version', n: Number(n) };
}
