import type { CommandStartedEvent } from 'mongodb';
import { expect } from 'vitest';
import type { Pdm } from './pdm.ts';

/** What a read that succeeds asks the store for, command by command, in order of name. Credentials are cached for a while, and the sealer works beside: both are passed over, with the collections named. */
export function storeCommands(pdm: () => Pdm, ...beside: string[]) {
  const passedOver = new RegExp(
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
    return commands.filter((command) => !passedOver.test(command)).sort();
  };
}
