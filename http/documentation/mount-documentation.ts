// Serves the documentation of this version at /docs, with search. The pages need no script and no other server.
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendUnmatched } from '../response/unroutable.ts';
import { inlineHashes } from '../web-page/page.ts';
import type { DocumentationPage } from './read-documentation.ts';
import type { Found } from './search-documentation.ts';

const TEMPLATE = readFileSync(new URL('../../web/documentation.html', import.meta.url), 'utf8');
const PICTURES = new URL('../../docs/pictures/', import.meta.url);

type Documentation = {
  pages: readonly DocumentationPage[];
  search: (query: string) => Found[];
  escapeHtml: (text: string) => string;
};

/** Serves the documentation without authentication: it contains no data. It is rendered at the first request. */
export function mountDocumentation(app: FastifyInstance): void {
  let documentation: Promise<Documentation> | undefined;
  const read = () => {
    documentation ??= load();
    return documentation;
  };
  app.get('/docs', async (_request, reply) => {
    const loaded = await read();
    return sendPage(reply, loaded, { title: 'Documentation', content: overview(loaded) });
  });
  app.get<{ Querystring: { q?: string | string[] } }>('/docs/search', async ({ query: { q } }, reply) => {
    const loaded = await read();
    const query = String(q ?? '').slice(0, MAX_QUERY_LENGTH);
    return sendPage(reply, loaded, { title: 'Search', query, content: results(loaded, query) });
  });
  app.get<{ Params: { name: string } }>('/docs/:name', async (request, reply) => {
    const loaded = await read();
    const page = loaded.pages.find(({ name }) => name === request.params.name);
    if (!page) return sendUnmatched(request, reply);
    return sendPage(reply, loaded, { title: page.title, name: page.name, content: page.html });
  });
  for (const file of readdirSync(PICTURES).filter((name) => name.endsWith('.png')))
    app.get(`/docs/pictures/${file}`, async (_request, reply) =>
      reply
        .headers(HEADERS)
        .type('image/png')
        .send(readFileSync(new URL(file, PICTURES))),
    );
}

const MAX_QUERY_LENGTH = 200;

// the libraries are loaded when they are needed, so that the service starts without them
async function load(): Promise<Documentation> {
  const [{ readDocumentation, escapeHtml }, { indexDocumentation }] = await Promise.all([
    import('./read-documentation.ts'),
    import('./search-documentation.ts'),
  ]);
  const pages = readDocumentation();
  return { pages, search: indexDocumentation(pages), escapeHtml };
}

const HEADERS = {
  'content-security-policy': `default-src 'none'; img-src 'self' data:; style-src ${inlineHashes(TEMPLATE, 'style')}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

type Content = { title: string; content: string; name?: string; query?: string };

function sendPage(reply: FastifyReply, loaded: Documentation, { title, content, name = '', query = '' }: Content) {
  const values: Record<string, string> = {
    title: loaded.escapeHtml(title),
    query: loaded.escapeHtml(query),
    navigation: groupsOf(loaded, (page) => `<li>${link(loaded, page, page.name === name)}</li>`),
    content,
  };
  const html = TEMPLATE.replace(/\{\{(\w+)\}\}/g, (_all, key: string) => values[key] ?? '');
  return reply.headers(HEADERS).type('text/html; charset=utf-8').send(html);
}

function groupsOf({ pages }: Documentation, item: (page: DocumentationPage) => string): string {
  return [...Map.groupBy(pages, ({ group }) => group)]
    .map(([group, members]) => `<h2>${group}</h2>\n<ul>${members.map(item).join('')}</ul>`)
    .join('\n');
}

const link = ({ escapeHtml }: Documentation, { name, title }: DocumentationPage, isCurrent = false): string =>
  `<a href="/docs/${name}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;

function overview(loaded: Documentation): string {
  const item = (page: DocumentationPage) => {
    const first = /^.+?\.(?= |$)/.exec(page.sections[0]?.text ?? '')?.[0] ?? '';
    return `<li>${link(loaded, page)}<br><span class="quiet">${loaded.escapeHtml(first)}</span></li>`;
  };
  return `<h1>Documentation</h1>
<p>New here? Start with the <a href="/docs/guide#first-steps">first steps</a>. The <a href="/api/v1/docs">reference of the REST API</a>
and the <a href="/graphql">GraphQL explorer</a> can also send requests.</p>
${groupsOf(loaded, item)}`;
}

function results({ search, escapeHtml }: Documentation, query: string): string {
  const found = search(query);
  const items = found.map(({ title, heading, url, excerpt, terms }) => {
    const name = heading ? `${title} › ${heading}` : title;
    return `<li><a href="${url}">${escapeHtml(name)}</a><p>${markTerms(excerpt, terms, escapeHtml)}</p></li>`;
  });
  const title = `<h1>Results for “${escapeHtml(query)}”</h1>`;
  if (found.length === 0) return `${title}\n<p>Nothing found. Try fewer or other words.</p>`;
  return `${title}\n<ul class="results">${items.join('\n')}</ul>`;
}

function markTerms(text: string, terms: readonly string[], escapeHtml: (text: string) => string): string {
  return text
    .split(/([\p{L}\p{N}_]+)/u)
    .map((part) => (terms.includes(part.toLowerCase()) ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part)))
    .join('');
}
