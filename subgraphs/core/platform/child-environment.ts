// The environments of child processes. Nothing is inherited unless it is listed here: the environment of the service
// contains credentials, its own and possibly those of other programs.
import { type Config, READ_FROM_FILES } from './config.ts';

/** Variables of the operating system, without which programs do not start or write to the wrong place. */
const SYSTEM = ['PATH', 'TMPDIR', 'TEMP', 'TZ', 'LANG', 'LC_ALL', 'SystemRoot'];

/** Variables with which the scheduler finds the container engine for PDM_SANDBOX=container. */
export const CONTAINER_ENGINE = [
  'PATH',
  'HOME',
  'XDG_RUNTIME_DIR',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'CONTAINER_HOST',
  'CONTAINERS_CONF',
];

const SCHEDULER = ['NODE_ENV', 'NODE_COMPILE_CACHE', ...CONTAINER_ENGINE];

/** The settings that the scheduler inherits. */
const SCHEDULER_SETTINGS = [
  'PDM_HOST',
  'PDM_SCHEDULER_PORT',
  'PDM_DATA_DIR',
  'PDM_PUBLIC_URL',
  'PDM_ALLOW_PLAIN_HTTP',
  'PDM_ENGINE_SLOTS',
  'PDM_ENGINE_MAX_STEP_MB',
  'PDM_ENGINE_TIMEOUT_SECONDS',
  'PDM_ENGINE_MAX_MEMORY_MB',
  'PDM_ENGINE_LOW_MEMORY',
  'PDM_SANDBOX',
  'PDM_SANDBOX_ENGINE',
  'PDM_SANDBOX_IMAGE',
  'PDM_SANDBOX_IMPORT',
  'PDM_RUN_TIMEOUT_SECONDS',
  'PDM_LOG',
  'PDM_LOG_LEVEL',
] as const satisfies readonly (keyof Config)[];

const CREDENTIALS: ReadonlySet<string> = new Set([
  ...READ_FROM_FILES.flatMap((name) => [name, `${name}_FILE`]),
  'PDM_CHECKPOINT_URL',
  'PDM_GIT_CREDENTIALS_FILE',
]);

/** Returns the named variables of this process that are set. */
export function pickEnvironment(names: readonly string[]): Record<string, string> {
  // biome-ignore lint/style/noProcessEnv: the only place that passes variables on to child processes
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Returns the environment of a child process that needs no settings. */
export function systemEnvironment(): Record<string, string> {
  return pickEnvironment(SYSTEM);
}

/** Returns the environment of this process for a program of the user, without the credentials of the service. */
export function environmentWithoutCredentials(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: a worker under test reads variables of its own
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !CREDENTIALS.has(name)));
}

/** Returns the environment of a scheduler: its settings and its own credentials. */
export function schedulerEnvironment(
  config: Config,
  connection: { PDM_API_URL: string; PDM_WORKER_TOKEN: string; NATS_URL: string },
): Record<string, string> {
  const settings = SCHEDULER_SETTINGS.map((name) => [name, formatValue(config[name])]);
  return {
    ...pickEnvironment([...SYSTEM, ...SCHEDULER]),
    ...Object.fromEntries(settings),
    PDM_ROLES: 'scheduler',
    ...connection,
  };
}

function formatValue(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value ?? '');
}
