import { test } from 'vitest';
import { startPdm } from '../support/pdm.ts';
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
test('idle', async () => {
  const pdm = await startPdm({ scheduler: true } as never);
  await sleep(6000);
  const seen = new Map<string, number>();
  pdm.services.mongo.client.on('commandStarted', (e: any) => { const k = `${e.commandName} ${e.command[e.commandName]} ${JSON.stringify(e.command.filter ?? e.command.ops?.map((o: any) => Object.keys(o)[0]) ?? '').slice(0, 120)}`; seen.set(k, (seen.get(k) ?? 0) + 1); });
  await sleep(8000);
  console.log([...seen].sort((a, b) => b[1] - a[1]).slice(0, 30).map(([k, n]) => `${n} ${k}`).join('\n'));
  await pdm.close();
}, 60000);
