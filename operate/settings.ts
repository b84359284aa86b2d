import { CliError, EXIT } from '../cli/exit.ts';
import { type Config, ConfigError, readConfig } from '../subgraphs/core/platform/config.ts';

/** Reads the settings of the service from the environment. Also makes new files private to their owner. */
export function readSettings(): Config {
  process.umask(0o077);
  try {
    return readConfig();
  } catch (error) {
    throw error instanceof ConfigError ? new CliError(error.message, EXIT.settings) : error;
  }
}
