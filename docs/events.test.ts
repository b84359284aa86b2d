// What events.md tells receivers to do is done here with a message as the service signs it.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatWebhookSecret, signatureHeaders } from '../subgraphs/core/domain/access/webhook.ts';

const TEXT = readFileSync(new URL('./events.md', import.meta.url), 'utf8');
const codeIn = (language: string) => String(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(TEXT)?.[1]);
const noPython = spawnSync('python3', ['--version']).status === 0 ? null : 'there is no python3';

const key = Buffer.from('of thirty-two bytes, like all be');
const body = '{"type":"version.released","summary":"Größe"}';
const headers = signatureHeaders([Buffer.alloc(32), key], { id: 'aud_1', at: new Date(), body });
const old = signatureHeaders([key], { id: 'aud_1', at: new Date(Date.now() - 3_600_000), body });
const sizedAlike = 'é'.repeat(String(headers['webhook-signature']?.split(' ')[0]).length);
const forged = [
  { ...headers, 'webhook-id': 'aud_2' },
  ...['v1,AAAA', sizedAlike].map((signature) => ({ ...headers, 'webhook-signature': signature })),
  {},
];
const cases = [headers, old, ...forged];
const given = JSON.stringify({ secret: formatWebhookSecret(key), body, cases });

test('the example for Node takes what is genuine, and neither a forgery nor what is old', () => {
  const ask = `const { secret, body, cases } = ${given}; console.log(JSON.stringify(cases.map((headers) => isGenuine(secret, headers, body))));`;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', `${codeIn('js')}\n${ask}`]).toString();
  expect(JSON.parse(told)).toEqual(cases.map((each) => each === headers));
});

test.skipIf(noPython)('and so does the example for Python', () => {
  const ask = `import json\ng = json.loads(${JSON.stringify(given)})\nprint(json.dumps([is_genuine(g["secret"], h, g["body"].encode()) for h in g["cases"]]))`;
  const told = execFileSync('python3', ['-c', `${codeIn('python')}\n${ask}`]).toString();
  expect(JSON.parse(told)).toEqual(cases.map((each) => each === headers));
});
