// Setting types: how each value is parsed, its default and its description.
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { SUBGRAPHS, type SubgraphName } from '../domain/kinds.ts';

/** A setting. `read` parses its value and throws an Error whose message completes a sentence that starts with the setting's name. */
export type Setting<T> = { read(text: string): T; default: T; description: string };

/** A string. */
export const text = (defaultValue: string, description: string): Setting<string> => ({
  read: (value) => value,
  default: defaultValue,
  description,
});

/** A string without a default. */
export const optional = (description: string): Setting<string | null> => ({
  read: (value) => value,
  default: null,
  description,
});

/** A boolean, written `on` or `off`. */
export const yes = (defaultValue: boolean, description: string): Setting<boolean> => ({
  read: (value) => oneOf(['on', 'off'], value) === 'on',
  default: defaultValue,
  description: `${description} (on, off)`,
});

/** An integer in an inclusive range. */
export const number = (defaultValue: number, min: number, max: number, description: string): Setting<number> => ({
  read: (value) => inRange(value, min, max),
  default: defaultValue,
  description,
});

/** One of the listed values. */
export const choice = <const T extends string>(
  choices: readonly T[],
  defaultValue: T,
  description: string,
): Setting<T> => ({
  read: (value) => oneOf(choices, value),
  default: defaultValue,
  description: `${description} (${choices.join(', ')})`,
});

/** What a process does when nothing else is said. */
export const ALL_ROLES = ['store', 'api', 'sweeps', 'scheduler'] as const;
export type Role = (typeof ALL_ROLES)[number] | SubgraphName;

/** The roles in a list of them, or every role for `all`; a subgraph by its name is a role too. */
export function rolesIn(given: string): readonly Role[] {
  return given === 'all' ? ALL_ROLES : given.split(',').map((role) => oneOf([...ALL_ROLES, ...SUBGRAPHS], role.trim()));
}

/** The addresses of subgraphs in a list of `name=url`. */
export function subgraphsIn(given: string): Partial<Record<SubgraphName, string>> {
  const pairs = given.split(',').map((pair) => pair.trim().split('=') as [string, string?]);
  return Object.fromEntries(
    pairs.map(([name, url = '']) => {
      if (!/^https?:\/\//.test(url) || !URL.canParse(url))
        throw new Error(`has "${name}=${url}"; it must be name=http://host:port/graphql`);
      return [oneOf(SUBGRAPHS, name), url];
    }),
  );
}

/** The addresses and networks in a list of them. */
export function addressesIn(given: string): string[] {
  const addresses = given.split(',').map((address) => address.trim());
  for (const address of addresses) {
    const [host = '', bits] = address.split('/');
    const most = isIP(host) === 6 ? 128 : 32;
    if (!isIP(host) || (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= most)))
      throw new Error(`has "${address}"; it must be an address, or a network like 10.0.0.0/8`);
  }
  return addresses;
}

/** The hosts in a list of them, each with its port if it is not 443, in small letters. */
export function hostsIn(given: string): string[] {
  const hosts = given.split(',').map((host) => host.trim().toLowerCase());
  for (const host of hosts)
    if (!/^[a-z0-9.-]+(?::\d{1,5})?$/.test(host))
      throw new Error(`has "${host}"; it must be a host name, with :port if it is not 443`);
  return hosts;
}

/** The folders in a list of absolute paths. */
export function foldersIn(given: string): string[] {
  const folders = given.split(',').map((folder) => folder.trim());
  for (const folder of folders)
    if (!isAbsolute(folder)) throw new Error(`has "${folder}"; it must be an absolute path`);
  return folders.map((folder) => resolve(folder));
}

/** An http or https address. What is refused is not repeated, since it may hold a password. */
export function webAddressIn(given: string): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Error('must be an address that begins with https:// or http://');
  return given;
}

/** Requests a second and at once as `50/200`, or `off`. */
export function rateIn(given: string): string {
  if (given !== 'off' && !/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/.test(given))
    throw new Error(`is "${given}"; it must be requests a second and a burst, like 50/200, or off`);
  return given;
}

/** The origins in a list of them, or `*`. */
export function originsIn(given: string): string[] {
  const origins = given.split(',').map((origin) => origin.trim());
  for (const origin of origins)
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin))
      throw new Error(`has "${origin}"; it must be an origin like https://plm.example.com, without a path, or *`);
  return origins;
}

/** The address of an identity provider: https, or http on this machine. */
export function issuerIn(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '');
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && loopback))
    throw new Error(`is "${given}"; it must be an https:// address`);
  return given;
}

function oneOf<T extends string>(choices: readonly T[], given: string): T {
  const found = choices.find((choice) => choice === given);
  if (!found) throw new Error(`is "${given}"; it must be one of ${choices.join(', ')}`);
  return found;
}

function inRange(given: string, least: number, most: number): number {
  const value = Number(given);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`is "${given}"; it must be a whole number from ${least} to ${most}`);
  return value;
}
