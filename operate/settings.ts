import { EXIT, Failure } from '../cli/exit.ts';
import { type Config, ConfigError, readConfig } from '../subgraphs/core/config.ts';

/** The settings of the service from the environment; faults of them end with 78. What an operator's command writes is its owner's alone. */
export function operatorSettings(): Config {
  process.umask(0o077);
  try {
    return readConfig();
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message, EXIT.settings) : error;
  }
}
