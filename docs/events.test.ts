// Runs the signature examples of events.md with messages signed by the service.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatWebhookSecret, signatureHeaders } from '../subgraphs/core/domain/access/webhook.ts';
import { needs } from '../test/support/needs.ts';

const TEXT = readFileSync(new URL('./events.md', import.meta.url), 'utf8');
const codeIn = (language: string) => String(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(TEXT)?.[1]);
const python = needs('python3');

const key = Buffer.from('a webhook secret with 32 bytes..');
const body = '{"type":"version.released","summary":"Größe"}';
const headers = signatureHeaders([Buffer.alloc(32), key], { id: 'aud_1', at: new Date(), body });
const old = signatureHeaders([key], { id: 'aud_1', at: new Date(Date.now() - 3_600_000), body });
const equalLength = 'é'.repeat(String(headers['webhook-signature']?.split(' ')[0]).length);
const forged = [
  { ...headers, 'webhook-id': 'aud_2' },
  ...['v1,AAAA', equalLength].map((signature) => ({ ...headers, 'webhook-signature': signature })),
  {},
];
const cases = [headers, old, ...forged];
const input = JSON.stringify({ secret: formatWebhookSecret(key), body, cases });

test('the Node example accepts genuine messages and rejects forged and old ones', () => {
  const script = `const { secret, body, cases } = ${input}; console.log(JSON.stringify(cases.map((headers) => isGenuine(secret, headers, body))));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', `${codeIn('js')}\n${script}`]).toString();
  expect(JSON.parse(output)).toEqual(cases.map((each) => each === headers));
});

test.skipIf(python.isMissing)(
  python.title('the Python example accepts genuine messages and rejects forged and old ones'),
  () => {
    const script = `import json\ng = json.loads(${JSON.stringify(input)})\nprint(json.dumps([is_genuine(g["secret"], h, g["body"].encode()) for h in g["cases"]]))`;
    const output = execFileSync('python3', ['-c', `${codeIn('python')}\n${script}`]).toString();
    expect(JSON.parse(output)).toEqual(cases.map((each) => each === headers));
  },
);
