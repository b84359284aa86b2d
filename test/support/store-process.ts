import { readdirSync, readFileSync } from 'node:fs';

/** Returns the process id of the embedded store of this data folder (Linux only). */
export function storePid(dataDir: string): number {
  const isStore = (pid: string): boolean => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes('embedded/process/main.ts') && command.includes(dataDir);
    } catch {
      return false;
    }
  };
  return Number(readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isStore(pid)));
}
