// Serves a page for each error code, at the address that `type` of its problems names, with the text of docs/errors.md.
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { CATALOGUE, type ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { PROBLEM_PATH } from '../response/problem.ts';
import { statusOf } from '../response/status.ts';
import { sendUnmatched } from '../response/unroutable.ts';
import { inlineHashes } from './page.ts';

type Explanation = { meaning: string; remedy: string };

/** Serves the pages without authentication: they contain no data. */
export function mountProblemPages(app: FastifyInstance): void {
  const explanations = readExplanations();
  const codes = Object.keys(CATALOGUE) as ErrorCode[];
  const index = pageOf('Error codes', [`<ul>${codes.map(listItem).join('')}</ul>`]);
  const pages = new Map(codes.map((code) => [code as string, problemPage(code, explanations.get(code))]));
  app.get(PROBLEM_PATH, async (_request, reply) => sendPage(reply, index));
  app.get<{ Params: { code: string } }>(`${PROBLEM_PATH}/:code`, async (request, reply) => {
    const page = pages.get(request.params.code);
    return page ? sendPage(reply, page) : sendUnmatched(request, reply);
  });
}

function readExplanations(): ReadonlyMap<string, Explanation> {
  const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| `(\w+)` \| \d+ \| (.+) \| (.+) \|$/gm);
  return new Map([...rows].map(([, code = '', meaning = '', remedy = '']) => [code, { meaning, remedy }]));
}

function problemPage(code: ErrorCode, explanation: Explanation | undefined): string {
  const { meaning = '', remedy = '' } = explanation ?? {};
  return pageOf(CATALOGUE[code].title, [
    `<p><code>${code}</code>, status ${statusOf(code)}</p>`,
    `<h2>Meaning</h2><p>${inlineHtml(meaning)}</p>`,
    `<h2>What to do</h2><p>${inlineHtml(remedy)}</p>`,
    `<p><a href="${PROBLEM_PATH}">All error codes</a></p>`,
  ]);
}

const listItem = (code: ErrorCode): string =>
  `<li><a href="${PROBLEM_PATH}/${code}"><code>${code}</code></a> (${statusOf(code)}): ${CATALOGUE[code].title}.</li>`;

const STYLE =
  ':root { color-scheme: light dark; } body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; } h1 { font-size: 1.4rem; } h2 { font-size: 1rem; }';

function pageOf(title: string, content: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · PDM</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content.join('\n')}
</main>
</body>
</html>
`;
}

// Code spans are the only Markdown in the table.
function inlineHtml(markdown: string): string {
  const escaped = markdown.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}

const HEADERS = {
  'content-security-policy': `default-src 'none'; img-src data:; style-src ${inlineHashes(pageOf('', []), 'style')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.headers(HEADERS).type('text/html; charset=utf-8').send(page);
}
