// The settings: the only reader of the environment. docs/operating.md has the same table, and a test compares them.
import { readFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { SubgraphName } from '../domain/kinds.ts';
import { editDistance } from '../domain/text/edit-distance.ts';
import {
  ALL_ROLES,
  addressesIn,
  choice,
  foldersIn,
  hostsIn,
  issuerIn,
  number,
  optional,
  originsIn,
  type Role,
  rateIn,
  rolesIn,
  type Setting,
  subgraphsIn,
  text,
  webAddressIn,
  yes,
} from './setting.ts';

export type { Role };

type Table = Record<string, Setting<unknown>>;

const GiB = 2 ** 30;

/** Every setting: how it is read, what holds when it is absent, what it is for. */
export const SETTINGS = {
  PDM_HOST: text(
    '127.0.0.1',
    'address to listen on; any other than loopback needs PDM_PUBLIC_URL=https://… or PDM_ALLOW_PLAIN_HTTP=on',
  ),
  PDM_PORT: number(8080, 0, 65535, 'port of REST, GraphQL and the web page; 0 takes a free one'),
  PDM_SCHEDULER_PORT: number(8081, 0, 65535, "port of the scheduler's status and metrics; 0 takes a free one"),
  PDM_DATA_DIR: {
    read: (given: string) => resolve(given),
    default: resolve('data'),
    description: 'folder of everything that is kept',
  },
  PDM_PUBLIC_URL: optional('address under which people reach the service, if a proxy stands before it'),
  PDM_ALLOW_PLAIN_HTTP: yes(false, 'serve other machines without TLS'),
  PDM_TRUSTED_PROXIES: {
    read: addressesIn,
    default: null as string[] | null,
    description:
      'addresses or networks of proxies whose X-Forwarded-For and -Host are believed, comma-separated, e.g. 10.0.0.0/8',
  },
  PDM_BOOTSTRAP_TOKEN: optional(
    "the administrator's token at the first start, instead of a random one; ignored afterwards",
  ),
  PDM_BOOTSTRAP_TOKEN_FILE: optional('the same, read from a file'),
  OIDC_ISSUER: {
    read: issuerIn,
    default: null as string | null,
    description: 'issuer of the tokens of an identity provider (OpenID Connect), as it calls itself',
  },
  OIDC_AUDIENCE: optional('what such a token must name as its audience'),
  OIDC_ROLE_CLAIM: optional(
    'claim that holds the role, e.g. role or realm_access.roles; a token without it is a viewer. Absent: users have the role they are given here',
  ),
  OIDC_AUTOCREATE: yes(true, 'whoever signs in for the first time becomes a user'),
  PDM_ROLES: {
    read: rolesIn,
    default: ALL_ROLES as readonly Role[],
    description:
      'which parts run here, comma-separated: store, api, sweeps, scheduler, or all four; documents, versioning, artifacts, jobs: that subgraph as a server of its own',
  },
  PDM_SUBGRAPHS: {
    read: subgraphsIn,
    default: null as Partial<Record<SubgraphName, string>> | null,
    description:
      'subgraphs that the api finds in other processes, e.g. documents=http://documents:4001/graphql,jobs=http://jobs:4004/graphql; those left out run inside it',
  },
  PDM_SUBGRAPH_PORT: number(
    4001,
    0,
    65531,
    'port of the documents subgraph where it is a server of its own; versioning, artifacts and jobs take the next three, sweeps that run alone the one after',
  ),
  MONGODB_URL: optional('a MongoDB replica set; absent: the embedded store in the data folder'),
  NATS_URL: optional(
    'a NATS server with JetStream that wakes the schedulers, e.g. nats://token@nats:4222; absent: one is run here if there is a nats-server',
  ),
  MONGODB_URL_FILE: optional('file that holds it, instead of MONGODB_URL'),
  NATS_URL_FILE: optional('file that holds it, instead of NATS_URL'),
  PDM_NATS_SERVER_BIN: optional(
    'the nats-server to run beside the service; absent: the one in PATH or /usr/sbin; off: none',
  ),
  PDM_JOB_LEASE_SECONDS: number(60, 2, 3600, 'how long a worker keeps a job without a heartbeat'),
  PDM_RESERVATION_TTL_SECONDS: number(
    900,
    60,
    86_400,
    'how long a checkout reserves a workspace unless it says so itself; heartbeats keep it',
  ),
  REVISION_SCHEME: choice(
    ['asme', 'numeric', 'alpha26'],
    'asme',
    'labels of releases: letters without I O Q S X Z (ASME Y14.35), 1 2 3, or all 26 letters',
  ),
  RELEASE_POLICY: choice(
    ['warn', 'strict'],
    'warn',
    'releasing an assembly of unreleased or obsolete parts: warn about them, or refuse',
  ),
  PDM_RATE_LIMIT: {
    read: rateIn,
    default: '50/200',
    description:
      'requests a second and at once that a token may make, e.g. 50/200; workers are not counted; off: no limit',
  },
  PDM_MAX_CONCURRENT_REQUESTS: number(
    256,
    1,
    100_000,
    'requests that the API works on at once; further ones are answered 503; uploads, streams and long polls are apart',
  ),
  PDM_MAX_CONCURRENT_UPLOADS: number(
    4,
    1,
    10_000,
    'uploads that a token may have under way at once; workers are not counted',
  ),
  PDM_MAX_CONCURRENT_STREAMS: number(
    8,
    1,
    100_000,
    'streams and long polls that a token may have open at once; workers are not counted',
  ),
  PDM_CORS_ORIGINS: {
    read: originsIn,
    default: null as string[] | null,
    description:
      'origins whose pages may ask the service from a browser, comma-separated, e.g. https://plm.example.com, or *; absent: none',
  },
  MAX_UPLOAD_BYTES: number(2 * GiB, 1, 1024 * GiB, 'largest file that may be uploaded, in bytes'),
  PDM_ENGINE_SLOTS: number(
    0,
    0,
    64,
    'jobs the built-in engine works on at once; 0: one less than the cores, at most 2',
  ),
  PDM_ENGINE_MAX_STEP_MB: number(64, 1, 4096, 'largest STEP file that the built-in engine takes, in MB'),
  PDM_ENGINE_TIMEOUT_SECONDS: number(
    0,
    0,
    7_200,
    'longest a job of the built-in engine may take; 0: 300 s, an export 600 s',
  ),
  PDM_ENGINE_MAX_MEMORY_MB: number(2048, 256, 65_536, 'most memory a job of the built-in engine may take, in MB'),
  PDM_ENGINE_LOW_MEMORY: yes(false, 'the built-in engine takes half the memory, and twice the time for large files'),
  PDM_OFB_WORKER: choice(
    ['none', 'external'],
    'none',
    'who reads and writes OFB: an external worker that offers {engine: classcad}; with none such jobs fail, and say so',
  ),
  PDM_GIT_ALLOWED_HOSTS: {
    read: hostsIn,
    default: null as string[] | null,
    description:
      'hosts from which the code of generators may be fetched, comma-separated, with a port if it is not 443; absent: every public host',
  },
  PDM_GIT_ALLOWED_NETWORKS: {
    read: addressesIn,
    default: null as string[] | null,
    description:
      'addresses or networks that it may be fetched from although they are not public, comma-separated, e.g. 10.1.0.0/16',
  },
  PDM_GIT_ALLOWED_FOLDERS: {
    read: foldersIn,
    default: null as string[] | null,
    description: 'folders on this machine below which repositories may be read, comma-separated; absent: none',
  },
  PDM_GIT_CREDENTIALS_FILE: optional(
    'JSON file with what the service signs in with at such hosts: {"git.example.com": "user:token"}',
  ),
  PDM_GIT_CA_FILE: optional(
    'certificates (PEM) of the authorities that the hosts of repositories are checked against, instead of those of the system',
  ),
  PDM_WEBHOOKS_ALLOWED_NETWORKS: {
    read: addressesIn,
    default: null as string[] | null,
    description:
      'addresses or networks that webhooks may lead to although they are not public, also by http, comma-separated, e.g. 10.1.0.0/16',
  },
  PDM_WEBHOOKS_CA_FILE: optional(
    'certificates (PEM) of authorities that receivers of webhooks are checked against besides those that Node trusts',
  ),
  PDM_SANDBOX: choice(
    ['strict', 'container', 'trusted'],
    'strict',
    'how generators run: in a sandbox (bubblewrap, Linux; without one they do not run), in containers of an engine, or, for code of people who may do everything here, without',
  ),
  PDM_SANDBOX_ENGINE: text('podman', 'the container engine of PDM_SANDBOX=container: podman, docker, or a path'),
  PDM_SANDBOX_IMAGE: text(
    'docker.io/library/node:24-bookworm-slim',
    'the image of such containers: Node 24, a shell and util-linux; it has to be there already',
  ),
  PDM_SANDBOX_IMPORT: choice(
    ['auto', 'strict', 'limited'],
    'auto',
    'how CAD files are opened: in the same sandbox where the machine has one, only there, or in a child process that may read and write the work folder alone',
  ),
  PDM_RUN_TIMEOUT_SECONDS: number(60, 1, 1500, 'how long a generator may take, in seconds'),
  PDM_API_URL: optional('where a scheduler of its own finds the API, e.g. http://api:8080/api/v1'),
  PDM_WORKER_TOKEN: optional('the token of a scheduler of its own; an api that is given it too makes it good'),
  PDM_WORKER_TOKEN_FILE: optional('file that holds it, instead of PDM_WORKER_TOKEN'),
  PDM_CHECKPOINT_FILE: optional(
    'file on another disk or machine that the signed checkpoints of the audit log are appended to',
  ),
  PDM_CHECKPOINT_URL: {
    read: webAddressIn,
    default: null as string | null,
    description:
      'http(s) address elsewhere that they are posted to as text; user:password@ before the host is sent as basic authentication',
  },
  PDM_GRAPHQL: yes(true, 'serve /graphql'),
  PDM_GRAPHQL_INTROSPECTION: yes(true, 'answer introspection to people who are signed in'),
  PDM_WEB_RELOAD: yes(false, 'make the web page anew when its sources have changed; for working on the page'),
  GATEWAY_EXECUTOR: choice(
    ['compiled', 'apollo'],
    'compiled',
    'how operations are executed; apollo is the stock gateway, for diagnosis',
  ),
  PDM_LOG: choice(['pretty', 'json'], process.stderr.isTTY ? 'pretty' : 'json', 'how log lines look'),
  PDM_LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'fatal'], 'info', 'which log lines are written'),
} as const satisfies Table;

export type Config = { [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['default'] };

/** All faults of the settings at once, each with the name of its setting. */
export class ConfigError extends Error {}

/** The exit code of a process that its settings do not let begin (EX_CONFIG). */
export const EX_CONFIG = 78;

/** The settings of a process of the service; with faults it ends here, telling all of them. */
export function configOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(EX_CONFIG);
  }
}

/** Reads and checks all settings. Throws a ConfigError that lists every fault. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const config = Object.fromEntries(
    Object.entries(SETTINGS as Table).map(([name, { read, default: absent }]) => {
      try {
        const given = environment[name] || inFile(name, environment);
        return [name, given === undefined || given === '' ? absent : read(given)];
      } catch (error) {
        faults.push(`${name} ${error instanceof Error ? error.message : error}`);
        return [name, absent];
      }
    }),
  ) as Config;
  faults.push(...conflicts(config));
  if (faults.length)
    throw new ConfigError(`The settings have faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return config;
}

/** Settings that hold a credential: each may be kept in a file that `<name>_FILE` names. */
const FROM_FILES = ['MONGODB_URL', 'NATS_URL', 'PDM_BOOTSTRAP_TOKEN', 'PDM_WORKER_TOKEN'] as const;

function inFile(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const file = FROM_FILES.some((each) => each === name) && environment[`${name}_FILE`];
  return file ? readFileSync(file, 'utf8').trim() : undefined;
}

// Of tests, and of workers and clients that may run in the same shell.
const NOT_OURS = /^PDM_(TEST_.*|URL|TOKEN)$/;

/**
 * A line for each variable of the environment that looks like a setting and is none, naming the setting it may have been meant for; never its
 * value. For people to read: what is only misspelt would otherwise silently do nothing.
 */
export function unknownSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = Object.keys(SETTINGS);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('PDM_') && !NOT_OURS.test(name) && !known.includes(name),
  );
  return unknown.map((name) => {
    const [nearest] = known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b));
    return `${name} is no setting and is ignored. Did you mean ${nearest}?`;
  });
}

/** Turns off what libraries would do on their own: telemetry and development modes. Before their first import. */
export function quietLibraries(): void {
  process.env.APOLLO_TELEMETRY_DISABLED = 'true';
  process.env.NODE_ENV ??= 'production';
}

/** The folders in which programs are looked for. */
export function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean);
}

/** The environment of a child process with the settings of this one, some of them its own. */
export function childEnvironment(config: Config, own: Partial<Record<keyof Config, string>>): NodeJS.ProcessEnv {
  const settings = Object.entries(config).map(([name, value]) => [name, written(value)]);
  return {
    ...process.env,
    ...Object.fromEntries(settings),
    PDM_BOOTSTRAP_TOKEN: '',
    PDM_CHECKPOINT_URL: '', // may hold a password, and the child has nothing to post
    ...Object.fromEntries(FROM_FILES.map((name) => [`${name}_FILE`, ''])),
    ...own,
  };
}

function written(value: Config[keyof Config]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const pairs =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map((pair) => pair.join('='))
      : value;
  return String(pairs ?? '');
}

/** The token of the first administrator that the settings give, or null. Throws when it does not look like a token. */
export function bootstrapToken(config: Config): string | null {
  return tokenIn(config, 'PDM_BOOTSTRAP_TOKEN');
}

/** The token of schedulers of their own that the settings give, or null. Throws when it does not look like a token. */
export function workerToken(config: Config): string | null {
  return tokenIn(config, 'PDM_WORKER_TOKEN');
}

function tokenIn(config: Config, name: 'PDM_BOOTSTRAP_TOKEN' | 'PDM_WORKER_TOKEN'): string | null {
  const token = config[name];
  if (token !== null && !/^pdm_[0-9A-Za-z]{8}_[0-9A-Za-z]{32,}$/.test(token))
    throw new ConfigError(`${name} must look like pdm_<8 letters or digits>_<32 or more letters or digits>.`);
  return token;
}

function conflicts(config: Config): string[] {
  const loopback = ['127.0.0.1', '::1', 'localhost'].includes(config.PDM_HOST);
  const faults: string[] = [];
  if (!loopback && !config.PDM_ALLOW_PLAIN_HTTP && !config.PDM_PUBLIC_URL?.startsWith('https://'))
    faults.push(
      'PDM_HOST lets other machines in: set PDM_PUBLIC_URL=https://… (a proxy ends TLS) or PDM_ALLOW_PLAIN_HTTP=on',
    );
  if (!config.OIDC_ISSUER !== !config.OIDC_AUDIENCE)
    faults.push('OIDC_ISSUER and OIDC_AUDIENCE belong together: set both or none');
  if (
    !config.PDM_ROLES.includes('api') &&
    config.PDM_ROLES.includes('scheduler') &&
    !(config.PDM_API_URL && (config.PDM_WORKER_TOKEN || config.PDM_WORKER_TOKEN_FILE))
  )
    faults.push('PDM_ROLES has a scheduler without the api: set PDM_API_URL and PDM_WORKER_TOKEN');
  if (
    !config.PDM_ROLES.includes('store') &&
    !config.MONGODB_URL &&
    config.PDM_ROLES.some((role) => role !== 'scheduler')
  )
    faults.push('PDM_ROLES leaves out the store: set MONGODB_URL');
  return faults;
}
