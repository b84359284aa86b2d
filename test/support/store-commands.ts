import type { CommandStartedEvent } from 'mongodb';
import { expect } from 'vitest';
import type { Pdm } from './pdm.ts';

/**
 * Returns the store commands of a successful read, sorted by name. Ignores the named collections, credentials (cached)
 * and the sealer (in the background).
 */
export function storeCommands(pdm: () => Pdm, ...beside: string[]) {
  const ignored = new RegExp(
    `^(hello|ping|endSessions|commitTransaction)|${['tokens', 'users', 'audit', ...beside].join('|')}`,
  );
  return async (read: () => Promise<{ status: number }>): Promise<string[]> => {
    const { client } = pdm().services.mongo;
    const commands: string[] = [];
    const note = ({ commandName, command }: CommandStartedEvent) =>
      void commands.push(`${commandName} ${command[commandName]}`);
    client.on('commandStarted', note);
    expect((await read()).status).toBe(200);
    client.off('commandStarted', note);
    return commands.filter((command) => !ignored.test(command)).sort();
  };
}
