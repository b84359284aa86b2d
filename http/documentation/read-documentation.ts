// The documentation as HTML: README.md, docs/*.md and a few other files of the source code.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';

/** A part of a page, from a heading to the next. The first of a page has no anchor. */
export type Section = { heading: string; anchor: string; text: string };
export type DocumentationPage = { name: string; group: string; title: string; html: string; sections: Section[] };

const HOME = new URL('../../', import.meta.url);
const GROUPS: Record<string, readonly string[]> = {
  'Using PDM': ['guide', 'assemblies', 'generators', 'geometry', 'glossary'],
  Programs: ['cli', 'http', 'errors', 'events', 'worker-protocol'],
  Operation: ['readme', 'operating', 'monitoring', 'scaling', 'security', 'changelog', 'dependencies'],
};
const OTHER_GROUP = 'Reference';
const ROOT_FILES = ['README.md', 'GLOSSARY.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Reads and renders all pages, in the order of the navigation. */
export function readDocumentation(): DocumentationPage[] {
  const docs = readdirSync(new URL('docs/', HOME)).filter((file) => file.endsWith('.md'));
  const files = [...docs.map((file) => `docs/${file}`), ...ROOT_FILES];
  const names = new Map(files.map((file) => [file, posix.basename(file, '.md').toLowerCase()]));
  const order = Object.values(GROUPS).flat();
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const pages = files.map((file) => renderPage(file, names));
  return pages.sort((a, b) => rank(a.name) - rank(b.name) || a.title.localeCompare(b.title));
}

function renderPage(file: string, names: ReadonlyMap<string, string>): DocumentationPage {
  const name = names.get(file) ?? file;
  const anchors = new Map<string, number>();
  const sections: Section[] = [{ heading: '', anchor: '', text: '' }];
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ depth, tokens, text }) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const heading = plainText(text);
        const anchor = uniqueAnchor(heading, anchors);
        sections.push({ heading, anchor, text: '' });
        const link = `<a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(heading)}">#</a>`;
        return `<h${depth} id="${anchor}">${inner} ${link}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = linkTarget(href, file, names);
        return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      image: ({ href, text }) =>
        `<img src="/docs/pictures/${escapeHtml(posix.basename(href))}" alt="${escapeHtml(text)}" loading="lazy">`,
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<pre>', '<pre tabindex="0">')
          .replace(/<table>[\s\S]*?<\/table>/g, '<div class="table" tabindex="0">$&</div>'),
    },
  });
  marked.use({
    walkTokens: (token) => {
      if (token.type === 'table') headEmptyColumns(token as Tokens.Table);
    },
  });
  const markdown = readFileSync(new URL(file, HOME), 'utf8');
  const html = marked.parse(markdown, { async: false });
  addTexts(sections, html);
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name;
  const group = Object.keys(GROUPS).find((key) => GROUPS[key]?.includes(name)) ?? OTHER_GROUP;
  return { name, group, title, html, sections };
}

// A column without a heading, as of row names, needs one for screen readers.
function headEmptyColumns({ header }: Tokens.Table): void {
  for (const cell of header) if (!cell.text) cell.tokens = [{ type: 'text', raw: '—', text: '—' }];
}

/** The text of each section, from the rendered page. */
function addTexts(sections: Section[], html: string): void {
  const parts = html.split(/<h[2-6] id="[\s\S]*?<\/h[2-6]>/);
  for (const [index, section] of sections.entries())
    section.text = unescapeHtml((parts[index] ?? '').replace(/<h1>[\s\S]*?<\/h1>/, '').replace(/<[^>]+>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim();
}

/**
 * Returns the address of a link in a file: of a page, of the service, or of a web site. Null for files that are only in
 * the source code.
 */
function linkTarget(href: string, file: string, names: ReadonlyMap<string, string>): string | null {
  if (/^(https:\/\/|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const name = names.get(posix.join(posix.dirname(file), path));
  return name === undefined ? null : `/docs/${name}${anchor ? `#${anchor}` : ''}`;
}

// as GitHub forms them, since the same files are read there
function uniqueAnchor(heading: string, used: Map<string, number>): string {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const count = used.get(base) ?? 0;
  used.set(base, count + 1);
  return count === 0 ? base : `${base}-${count}`;
}

const plainText = (markdown: string): string => markdown.replace(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Escapes text for HTML content and attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const unescapeHtml = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&amp;', '&');
