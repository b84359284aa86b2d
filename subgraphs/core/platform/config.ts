// The settings of the service, read from the environment. docs/operating.md lists them; a test compares both.
import { readFileSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { SubgraphName } from '../domain/kinds.ts';
import { editDistance } from '../domain/text/edit-distance.ts';
import {
  ALL_ROLES,
  boolean,
  choice,
  integer,
  optionalString,
  parseFolders,
  parseHosts,
  parseHttpUrl,
  parseIssuer,
  parseNetworks,
  parseOrigins,
  parseRate,
  parseRetentionCounts,
  parseRoles,
  parseSubgraphs,
  type Role,
  type Setting,
  string,
} from './setting.ts';

export type { Role };

const GiB = 2 ** 30;

export const SETTINGS = {
  PDM_HOST: string(
    '127.0.0.1',
    'Address to listen on. Any address other than loopback requires PDM_PUBLIC_URL=https://… or PDM_ALLOW_PLAIN_HTTP=on',
  ),
  PDM_PORT: integer(8080, 0, 65535, 'Port of REST, GraphQL and the web page. 0 selects a free port'),
  PDM_SCHEDULER_PORT: integer(8081, 0, 65535, 'Port of the status and metrics of the scheduler. 0 selects a free port'),
  PDM_DATA_DIR: {
    parse: (text: string) => resolve(text),
    default: resolve('data'),
    description: 'Folder for all data',
  },
  PDM_PUBLIC_URL: optionalString('Public URL of the service, if it is behind a proxy'),
  PDM_ALLOW_PLAIN_HTTP: boolean(false, 'Serve other machines without TLS'),
  PDM_TRUSTED_PROXIES: {
    parse: parseNetworks,
    default: null as string[] | null,
    description:
      'Addresses or networks of proxies whose X-Forwarded-* headers are trusted, comma-separated, e.g. 10.0.0.0/8',
  },
  PDM_BOOTSTRAP_TOKEN: optionalString(
    'Token of the first start, instead of a random one. It expires after 7 days, or with `POST /setup`. Ignored afterwards',
  ),
  PDM_BOOTSTRAP_TOKEN_FILE: optionalString('File that contains PDM_BOOTSTRAP_TOKEN'),
  OIDC_ISSUER: {
    parse: parseIssuer,
    default: null as string | null,
    description: 'Issuer URL of an identity provider (OpenID Connect)',
  },
  OIDC_AUDIENCE: optionalString('Required audience (aud) of the tokens of the identity provider'),
  OIDC_ROLE_CLAIM: optionalString(
    'Claim with the role, e.g. role or realm_access.roles. A token without the claim has the role viewer. Default: roles are managed in the service',
  ),
  OIDC_AUTOCREATE: boolean(false, 'Create users at their first sign-in. Default: an administrator creates them'),
  PDM_ROLES: {
    parse: parseRoles,
    default: ALL_ROLES as readonly Role[],
    description:
      'Parts that run in this process, comma-separated: store, api, sweeps, scheduler, or all of these; or documents, versioning, artifacts, jobs to run that subgraph as a separate server',
  },
  PDM_SUBGRAPHS: {
    parse: parseSubgraphs,
    default: null as Partial<Record<SubgraphName, string>> | null,
    description:
      'Subgraphs that run as separate servers, e.g. documents=http://documents:4001/graphql,jobs=http://jobs:4004/graphql. The API runs the others itself',
  },
  PDM_SUBGRAPH_PORT: integer(
    4001,
    0,
    65531,
    'Port of the documents subgraph as a separate server. Versioning, artifacts and jobs use the next three ports, separate sweeps the one after',
  ),
  MONGODB_URL: optionalString('URL of a MongoDB replica set. Default: the embedded store in the data folder'),
  NATS_URL: optionalString(
    'URL of a NATS server with JetStream that notifies schedulers of jobs, e.g. nats://token@nats:4222. Default: a local nats-server, if installed',
  ),
  MONGODB_URL_FILE: optionalString('File that contains MONGODB_URL'),
  NATS_URL_FILE: optionalString('File that contains NATS_URL'),
  PDM_NATS_SERVER_BIN: optionalString('Path of the nats-server to run, or off. Default: the one in PATH or /usr/sbin'),
  PDM_JOB_LEASE_SECONDS: integer(
    60,
    2,
    3600,
    'Time in seconds after which a job without a heartbeat is taken from its worker',
  ),
  PDM_RESERVATION_TTL_SECONDS: integer(
    900,
    60,
    86_400,
    'Default length of a reservation in seconds. Heartbeats extend it',
  ),
  REVISION_SCHEME: choice(
    ['asme', 'numeric', 'alpha26'],
    'asme',
    'Labels of revisions: letters without I, O, Q, S, X and Z (ASME Y14.35), numbers, or all 26 letters',
  ),
  RELEASE_POLICY: choice(
    ['warn', 'strict'],
    'warn',
    'Whether the release of an assembly with unreleased or obsolete parts warns or is rejected',
  ),
  PDM_RATE_LIMIT: {
    parse: parseRate,
    default: '50/200',
    description: 'Requests per second and burst per token, e.g. 50/200, or off. Workers are exempt',
  },
  PDM_MAX_CONCURRENT_REQUESTS: integer(
    256,
    1,
    100_000,
    'Maximum number of requests of a token in progress, from the headers to the end of the response. Uploads, streams and long polls are not counted. Workers are exempt',
  ),
  PDM_REQUEST_SLOTS: integer(
    16,
    2,
    10_000,
    'Number of reads that the API executes at once; of writes, twice as many. Other requests wait',
  ),
  PDM_MAX_QUEUE_MS: integer(
    500,
    1,
    60_000,
    'Maximum expected time in milliseconds that a request waits for a slot. The API rejects others with 503 overloaded',
  ),
  PDM_MAX_CONCURRENT_UPLOADS: integer(
    4,
    1,
    10_000,
    'Maximum number of concurrent uploads per token. Workers are exempt',
  ),
  PDM_MAX_CONCURRENT_STREAMS: integer(
    8,
    1,
    100_000,
    'Maximum number of concurrent streams and long polls per token. Workers are exempt',
  ),
  PDM_CORS_ORIGINS: {
    parse: parseOrigins,
    default: null as string[] | null,
    description:
      'Origins allowed to call the API from a browser (CORS), comma-separated, e.g. https://plm.example.com, or *. Default: none',
  },
  MAX_UPLOAD_BYTES: integer(2 * GiB, 1, 1024 * GiB, 'Maximum size of an uploaded file in bytes'),
  PDM_ENGINE_SLOTS: integer(
    0,
    0,
    64,
    'Number of concurrent jobs of the built-in engine. 0 selects the number of cores minus 1, at most 2',
  ),
  PDM_ENGINE_LIGHT_SLOTS: integer(
    1,
    0,
    16,
    'Number of additional jobs of the built-in engine while all slots are busy, for files of at most 2 MB only',
  ),
  PDM_ENGINE_MAX_STEP_MB: integer(64, 1, 4096, 'Maximum size of a STEP file for the built-in engine in MB'),
  PDM_ENGINE_TIMEOUT_SECONDS: integer(
    0,
    0,
    7_200,
    'Maximum duration of a job of the built-in engine in seconds. 0 selects 300, or 600 for an export',
  ),
  PDM_ENGINE_MAX_MEMORY_MB: integer(4096, 256, 65_536, 'Maximum memory of a job of the built-in engine in MB'),
  PDM_ENGINE_LOW_MEMORY: boolean(false, 'Run the built-in engine with half the memory; large files take twice as long'),
  PDM_OFB_WORKER: choice(
    ['none', 'external'],
    'none',
    'Worker for OFB files: external is a worker that offers {engine: classcad}; with none, OFB exports are rejected and OFB sources fail',
  ),
  PDM_GIT_ALLOWED_HOSTS: {
    parse: parseHosts,
    default: null as string[] | null,
    description:
      'Hosts that code may be fetched from, comma-separated, with a port unless it is 443. Default: all public hosts',
  },
  PDM_GIT_ALLOWED_NETWORKS: {
    parse: parseNetworks,
    default: null as string[] | null,
    description: 'Private addresses or networks that code may be fetched from, comma-separated, e.g. 10.1.0.0/16',
  },
  PDM_GIT_ALLOWED_FOLDERS: {
    parse: parseFolders,
    default: null as string[] | null,
    description:
      'Local folders whose repositories code may be fetched from, comma-separated. Default: repositories in the data folder',
  },
  PDM_GIT_CREDENTIALS_FILE: optionalString(
    'JSON file with the credentials for Git hosts: {"git.example.com": "user:token"}',
  ),
  PDM_GIT_CA_FILE: optionalString('CA certificates (PEM) for Git hosts, instead of those of the system'),
  PDM_WEBHOOKS_ALLOWED_NETWORKS: {
    parse: parseNetworks,
    default: null as string[] | null,
    description:
      'Private addresses or networks that webhooks may be sent to, with or without TLS, comma-separated, e.g. 10.1.0.0/16',
  },
  PDM_WEBHOOKS_CA_FILE: optionalString('CA certificates (PEM) for webhook receivers, in addition to those of Node'),
  PDM_SANDBOX: choice(
    ['strict', 'container', 'trusted'],
    'strict',
    'How generators run: in a bubblewrap sandbox (Linux; without it they do not run), in containers, or without isolation, for trusted authors only',
  ),
  PDM_SANDBOX_ENGINE: string('podman', 'Container engine for PDM_SANDBOX=container: podman, docker, or a path'),
  PDM_SANDBOX_IMAGE: string(
    'docker.io/library/node:24-bookworm-slim',
    'Image for PDM_SANDBOX=container, with Node 24, a shell and util-linux. It is not pulled',
  ),
  PDM_SANDBOX_IMPORT: choice(
    ['auto', 'strict', 'limited'],
    'auto',
    'How CAD files are opened: in the sandbox if available, only in the sandbox, or in a child process that can access only its work folder',
  ),
  PDM_RUN_TIMEOUT_SECONDS: integer(60, 1, 1500, 'Maximum duration of a generator run in seconds'),
  PDM_API_URL: optionalString('URL of the API for a separate scheduler, e.g. http://api:8080/api/v1'),
  PDM_WORKER_TOKEN: optionalString('Token of separate schedulers. Set it for the API too, which registers it'),
  PDM_WORKER_TOKEN_FILE: optionalString('File that contains PDM_WORKER_TOKEN'),
  PDM_CHECKPOINT_FILE: optionalString(
    'File to append the signed checkpoints of the audit log to, on another disk or machine',
  ),
  PDM_CHECKPOINT_URL: {
    parse: parseHttpUrl,
    default: null as string | null,
    description:
      'URL to POST the signed checkpoints of the audit log to, as text. user:password@ in the URL is sent as basic authentication',
  },
  PDM_BACKUP_DIR: optionalString(
    'Existing folder for scheduled backups of the embedded store, on another disk. Default: no scheduled backups',
  ),
  PDM_BACKUP_EVERY: integer(24, 1, 336, 'Hours between scheduled backups'),
  PDM_BACKUP_KEEP: {
    parse: parseRetentionCounts,
    default: '7/4/12',
    description:
      'Number of days, weeks and months whose newest scheduled backup is kept, e.g. 7/4/12, beside those of the last 24 hours',
  },
  PDM_GRAPHQL: boolean(true, 'Serve /graphql'),
  PDM_GRAPHQL_INTROSPECTION: boolean(true, 'Allow GraphQL introspection for authenticated users'),
  PDM_WEB_RELOAD: boolean(false, 'Rebuild the web page when its sources change, for development'),
  GATEWAY_EXECUTOR: choice(
    ['compiled', 'apollo'],
    'compiled',
    'Executor of the gateway. apollo is the one of the Apollo gateway: slower, for diagnosis',
  ),
  PDM_LOG: choice(['pretty', 'json'], process.stderr.isTTY ? 'pretty' : 'json', 'Format of the log'),
  PDM_LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'fatal'], 'info', 'Minimum level of the log'),
} as const satisfies Record<string, Setting<unknown>>;

export type Config = { [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['default'] };

/** The settings are invalid. The message lists every error. */
export class ConfigError extends Error {}

/** Exit code of a process with invalid settings (EX_CONFIG in sysexits.h). */
export const EX_CONFIG = 78;

/** Reads the settings. If they are invalid, prints all errors and exits. */
export function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(EX_CONFIG);
  }
}

/** Reads and validates all settings. Throws a ConfigError that lists every error. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const errors: string[] = [];
  const config = Object.fromEntries(
    Object.entries(SETTINGS as Record<string, Setting<unknown>>).map(([name, setting]) => {
      try {
        const value = environment[name] || readFromFile(name, environment);
        return [name, value ? setting.parse(value) : setting.default];
      } catch (error) {
        errors.push(`${name} ${error instanceof Error ? error.message : error}`);
        return [name, setting.default];
      }
    }),
  ) as Config;
  errors.push(...findConflicts(config));
  if (errors.length) throw new ConfigError(`Invalid settings:\n${errors.map((error) => `  ${error}`).join('\n')}`);
  return config;
}

/** Settings with credentials, which can be read from the file that `<name>_FILE` names. */
export const READ_FROM_FILES = ['MONGODB_URL', 'NATS_URL', 'PDM_BOOTSTRAP_TOKEN', 'PDM_WORKER_TOKEN'] as const;

function readFromFile(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const file = READ_FROM_FILES.some((setting) => setting === name) && environment[`${name}_FILE`];
  return file ? readFileSync(file, 'utf8').trim() : undefined;
}

/** A setting as an administrator sees it. `value` is null without a value, and for credentials, which are never shown. */
export type DescribedSetting = {
  name: string;
  description: string;
  value: string | null;
  isSecret: boolean;
  source: 'default' | 'environment' | 'file';
};

const SECRETS: readonly string[] = [...READ_FROM_FILES, 'PDM_CHECKPOINT_URL'];

/** Returns the settings of this process with the source of their values. Credentials are left out. */
export function describeSettings(config: Config, environment: NodeJS.ProcessEnv = process.env): DescribedSetting[] {
  return Object.entries(SETTINGS).map(([name, { description }]) => {
    const isSecret = SECRETS.includes(name);
    const source = environment[name] ? 'environment' : environment[`${name}_FILE`] ? 'file' : 'default';
    return { name, description, value: isSecret ? null : textOf(config[name as keyof Config]), isSecret, source };
  });
}

function textOf(value: Config[keyof Config]): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// Variables of tests, workers and clients.
const OTHER_VARIABLES = /^PDM_(TEST_.*|URL|TOKEN)$/;

/** Returns a warning for each unknown PDM_ variable, with the most similar setting but without the value. */
export function unknownSettingWarnings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = Object.keys(SETTINGS);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('PDM_') && !OTHER_VARIABLES.test(name) && !known.includes(name),
  );
  return unknown.map((name) => {
    const [nearest] = known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b));
    return `Unknown setting ${name} is ignored. Did you mean ${nearest}?`;
  });
}

/** Disables the telemetry and development modes of libraries. Call it before importing them. */
export function configureLibraries(): void {
  process.env.APOLLO_TELEMETRY_DISABLED = 'true';
  process.env.NODE_ENV ??= 'production';
}

/** Returns the folders in PATH. */
export function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean);
}

/** Returns the configured token of the first administrator, or null. Throws a ConfigError if it is malformed. */
export function bootstrapToken(config: Config): string | null {
  return validateToken(config, 'PDM_BOOTSTRAP_TOKEN');
}

/** Returns the configured token of separate schedulers, or null. Throws a ConfigError if it is malformed. */
export function workerToken(config: Config): string | null {
  return validateToken(config, 'PDM_WORKER_TOKEN');
}

function validateToken(config: Config, name: 'PDM_BOOTSTRAP_TOKEN' | 'PDM_WORKER_TOKEN'): string | null {
  const token = config[name];
  if (token !== null && !/^pdm_[0-9A-Za-z]{8}_[0-9A-Za-z]{32,}$/.test(token))
    throw new ConfigError(`${name} must have the form pdm_<8 letters or digits>_<32 or more letters or digits>.`);
  return token;
}

function findConflicts(config: Config): string[] {
  const loopback = ['127.0.0.1', '::1', 'localhost'].includes(config.PDM_HOST);
  const errors: string[] = [];
  if (!loopback && !config.PDM_ALLOW_PLAIN_HTTP && !config.PDM_PUBLIC_URL?.startsWith('https://'))
    errors.push(
      'PDM_HOST is not a loopback address: set PDM_PUBLIC_URL=https://… (TLS ends at a proxy) or PDM_ALLOW_PLAIN_HTTP=on',
    );
  if (!config.OIDC_ISSUER !== !config.OIDC_AUDIENCE) errors.push('OIDC_ISSUER and OIDC_AUDIENCE must be set together');
  if (config.PDM_BACKUP_DIR && config.MONGODB_URL)
    errors.push(
      'PDM_BACKUP_DIR is for the embedded store: with MONGODB_URL, schedule mongodump --oplog or disk snapshots and unset PDM_BACKUP_DIR',
    );
  if (
    !config.PDM_ROLES.includes('api') &&
    config.PDM_ROLES.includes('scheduler') &&
    !(config.PDM_API_URL && (config.PDM_WORKER_TOKEN || config.PDM_WORKER_TOKEN_FILE))
  )
    errors.push('PDM_ROLES contains scheduler but not api: set PDM_API_URL and PDM_WORKER_TOKEN');
  if (
    !config.PDM_ROLES.includes('store') &&
    !config.MONGODB_URL &&
    config.PDM_ROLES.some((role) => role !== 'scheduler')
  )
    errors.push('PDM_ROLES does not contain store: set MONGODB_URL');
  return errors;
}
