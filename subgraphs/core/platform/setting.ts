// Setting types: how each value is parsed, its default and its description.
import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { SUBGRAPHS, type SubgraphName } from '../domain/kinds.ts';

/** A setting. `parse` throws an Error whose message follows the name of the setting, such as "must be …". */
export type Setting<T> = { parse(text: string): T; default: T; description: string };

/** A string. */
export const string = (defaultValue: string, description: string): Setting<string> => ({
  parse: (text) => text,
  default: defaultValue,
  description,
});

/** A string without a default. */
export const optionalString = (description: string): Setting<string | null> => ({
  parse: (text) => text,
  default: null,
  description,
});

/** A boolean, written `on` or `off`. */
export const boolean = (defaultValue: boolean, description: string): Setting<boolean> => ({
  parse: (text) => parseChoice(['on', 'off'], text) === 'on',
  default: defaultValue,
  description: `${description} (on, off)`,
});

/** An integer in an inclusive range. */
export const integer = (defaultValue: number, min: number, max: number, description: string): Setting<number> => ({
  parse: (text) => parseInteger(text, min, max),
  default: defaultValue,
  description,
});

/** One of the listed values. */
export const choice = <const T extends string>(
  choices: readonly T[],
  defaultValue: T,
  description: string,
): Setting<T> => ({
  parse: (text) => parseChoice(choices, text),
  default: defaultValue,
  description: `${description} (${choices.join(', ')})`,
});

/** The roles of a process by default. */
export const ALL_ROLES = ['store', 'api', 'sweeps', 'scheduler'] as const;
/** A part of the service; the name of a subgraph means that subgraph as a separate server. */
export type Role = (typeof ALL_ROLES)[number] | SubgraphName;

/** Parses comma-separated roles; `all` means the default roles. */
export function parseRoles(text: string): readonly Role[] {
  if (text === 'all') return ALL_ROLES;
  return splitList(text).map((role) => parseChoice([...ALL_ROLES, ...SUBGRAPHS], role));
}

/** Parses comma-separated subgraph URLs: `name=url`. */
export function parseSubgraphs(text: string): Partial<Record<SubgraphName, string>> {
  const pairs = splitList(text).map((pair) => pair.split('=') as [string, string?]);
  return Object.fromEntries(
    pairs.map(([name, url = '']) => {
      if (!/^https?:\/\//.test(url) || !URL.canParse(url))
        throw new Error(`must be a list of name=http://host:port/graphql, but contains "${name}=${url}"`);
      return [parseChoice(SUBGRAPHS, name), url];
    }),
  );
}

/** Parses comma-separated IP addresses and networks (CIDR). */
export function parseNetworks(text: string): string[] {
  const networks = splitList(text);
  for (const network of networks) {
    const [host = '', bits] = network.split('/');
    const maxBits = isIP(host) === 6 ? 128 : 32;
    if (!isIP(host) || (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= maxBits)))
      throw new Error(`must be a list of addresses or networks such as 10.0.0.0/8, but contains "${network}"`);
  }
  return networks;
}

/** Parses comma-separated host names with optional ports, in lower case. */
export function parseHosts(text: string): string[] {
  const hosts = splitList(text.toLowerCase());
  for (const host of hosts)
    if (!/^[a-z0-9.-]+(?::\d{1,5})?$/.test(host))
      throw new Error(`must be a list of host or host:port, but contains "${host}"`);
  return hosts;
}

/** Parses comma-separated absolute paths. */
export function parseFolders(text: string): string[] {
  const folders = splitList(text);
  for (const folder of folders)
    if (!isAbsolute(folder)) throw new Error(`must be a list of absolute paths, but contains "${folder}"`);
  return folders.map((folder) => resolve(folder));
}

/** Parses an http or https URL. The error omits the value, which may contain a password. */
export function parseHttpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error('must be a URL that starts with https:// or http://');
  return text;
}

/** Parses a rate limit: requests per second and burst as `50/200`, or `off`. */
export function parseRate(text: string): string {
  if (text !== 'off' && !/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/.test(text))
    throw new Error(`must be requests per second and burst such as 50/200, or off; it is "${text}"`);
  return text;
}

/** Parses how many days, weeks and months of backups are kept, as `7/4/12`. */
export function parseRetentionCounts(text: string): string {
  if (!/^\d{1,4}\/\d{1,4}\/\d{1,4}$/.test(text))
    throw new Error(`must be the number of days, weeks and months such as 7/4/12; it is "${text}"`);
  return text;
}

/** Parses comma-separated origins, or `*`. */
export function parseOrigins(text: string): string[] {
  const origins = splitList(text);
  for (const origin of origins)
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin))
      throw new Error(`must be * or a list of origins such as https://plm.example.com, but contains "${origin}"`);
  return origins;
}

/** Parses the URL of an identity provider: https, or http on loopback. */
export function parseIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '');
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && loopback))
    throw new Error(`must be an https:// URL; it is "${text}"`);
  return text;
}

function splitList(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

function parseChoice<T extends string>(choices: readonly T[], text: string): T {
  const found = choices.find((choice) => choice === text);
  if (!found) throw new Error(`must be one of ${choices.join(', ')}; it is "${text}"`);
  return found;
}

function parseInteger(text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`must be an integer from ${min} to ${max}; it is "${text}"`);
  return value;
}
