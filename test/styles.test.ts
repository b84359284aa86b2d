// The rules for stylesheets: those of web/styles/ are shared by all folders of web/; the classes of any other stylesheet
// belong to its folder, and its rules to its scope.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '../web');
const read = (file: string) => readFileSync(join(WEB, file), 'utf8');
const folderOf = (file: string) => file.split('/')[0] ?? '';

const sheets = globSync('**/*.css', { cwd: WEB }).map((file) => {
  const rules = read(file).replaceAll(/\/\*.*?\*\//gs, '');
  const selectors = [...rules.matchAll(/([^{};]+)\{/g)].map(([, prelude]) => prelude).join();
  const classes = [...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
  return { file, folder: folderOf(file), rules, classes: [...new Set(classes)] };
});
const shared = new Set(sheets.filter(({ folder }) => folder === 'styles').flatMap(({ classes }) => classes));
// a scope may also adjust shared classes
const scoped = sheets
  .filter(({ folder }) => folder !== 'styles')
  .map((sheet) => ({ ...sheet, own: sheet.classes.filter((name) => !shared.has(name)) }));
const uses = globSync('**/*.{ts,tsx}', { cwd: WEB, exclude: ['**/*.test.ts', 'generated/**'] }).flatMap((file) =>
  classUses(file).map((use) => ({ file, folder: folderOf(file), ...use })),
);

test('the rules of a folder are in scopes whose roots are its own classes', () => {
  const global = scoped.flatMap(({ file, rules, own }) =>
    blocksOf(rules)
      .filter(({ prelude }) => rootsOf(prelude)?.every((root) => own.includes(root)) !== true)
      .map(({ prelude }) => `${file}: ${prelude}`),
  );
  expect(global).toEqual([]);
});

test('a scope calls its root :scope', () => {
  // a selector without :scope matches only descendants of the root
  const neverMatching = scoped.flatMap(({ file, rules }) =>
    blocksOf(rules).flatMap(({ prelude, body }) =>
      (rootsOf(prelude) ?? [])
        .filter((root) => new RegExp(`\\.${root}(?![\\w-])`).test(body))
        .map((root) => `${file}: ${root}`),
    ),
  );
  expect(neverMatching).toEqual([]);
});

test('a class that is not shared is defined in one stylesheet', () => {
  const definitions = scoped.flatMap(({ file, own }) => own.map((name) => ({ name, file })));
  const twice = [...Map.groupBy(definitions, ({ name }) => name)].filter(([, found]) => found.length > 1);
  expect(twice.map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`)).toEqual([]);
});

test('the class of an element is a literal, or comes from a value whose name says that it is a class', () => {
  expect(uses.flatMap(({ file, unknown }) => (unknown ? [`${file}: ${unknown}`] : []))).toEqual([]);
});

test('a used class is shared or defined in its folder', () => {
  const isDefined = (name: string, folder: string) =>
    shared.has(name) || scoped.some((sheet) => sheet.folder === folder && sheet.own.includes(name));
  const missing = uses.filter(({ name, folder }) => name && !isDefined(name, folder));
  expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

test('a defined class is used in its folder; a shared one in web/ui or in several folders', () => {
  const usersOf = (name: string) => new Set(uses.filter((use) => use.name === name).map(({ folder }) => folder));
  const unused = scoped.flatMap(({ file, folder, own }) =>
    own.filter((name) => !usersOf(name).has(folder)).map((name) => `${file}: ${name}`),
  );
  const notShared = [...shared].filter((name) => !usersOf(name).has('ui') && usersOf(name).size < 2);
  expect([unused, notShared]).toEqual([[], []]);
});

/** Returns the top-level blocks of a stylesheet. */
function blocksOf(rules: string): { prelude: string; body: string }[] {
  const blocks: { prelude: string; body: string }[] = [];
  let [depth, start, open] = [0, 0, 0];
  for (const { 0: brace, index } of rules.matchAll(/[{}]/g)) {
    if (brace === '{' && depth++ === 0) open = index;
    if (brace === '}' && --depth === 0) {
      blocks.push({ prelude: rules.slice(start, open).trim(), body: rules.slice(open + 1, index) });
      start = index + 1;
    }
  }
  return blocks;
}

/** Returns the classes that open the scope, or undefined if the block is no scope. */
function rootsOf(prelude: string): string[] | undefined {
  return /^@scope \(((?:\.[\w-]+(?:, )?)+)\)/
    .exec(prelude)?.[1]
    ?.split(', ')
    .map((root) => root.slice(1));
}

type Node = { type: string; [key: string]: unknown };
type ClassUse = { name?: string; unknown?: string };

/** Returns the classes that a module gives to elements, and the expressions that do not show which. */
function classUses(file: string): ClassUse[] {
  const source = read(file);
  const found: ClassUse[] = [];
  const NAMES = /class(name|es)?$/i;
  const nameOf = (node: Node): string => {
    if (node.type === 'MemberExpression') return nameOf((node.computed ? node.object : node.property) as Node);
    if (node.type === 'CallExpression') return nameOf(node.callee as Node);
    return String(node.name ?? '');
  };
  const collect = (node: Node): void => {
    const parts = (key: string) => {
      for (const each of node[key] as (Node | null)[]) if (each) collect(each);
    };
    const part = (key: string) => collect(node[key] as Node);
    if (node.type === 'Literal') addNames(String(node.value));
    else if (node.type === 'TemplateElement') addNames((node.value as { cooked: string }).cooked);
    else if (node.type === 'TemplateLiteral') for (const key of ['quasis', 'expressions']) parts(key);
    else if (node.type === 'ConditionalExpression') for (const key of ['consequent', 'alternate']) part(key);
    else if (node.type === 'LogicalExpression') for (const key of ['left', 'right']) part(key);
    else if (node.type === 'ObjectExpression') parts('properties');
    else if (node.type === 'ArrayExpression') parts('elements');
    else if (node.type === 'Property') part('value');
    else if (node.type === 'AssignmentPattern') part('right');
    else if (node.type === 'ArrowFunctionExpression') part('body');
    else if (/^(JSXExpressionContainer|ChainExpression|TSAsExpression)$/.test(node.type)) part('expression');
    else if (!NAMES.test(nameOf(node))) found.push({ unknown: source.slice(node.start as number, node.end as number) });
  };
  const addNames = (text: string) => found.push(...text.split(/\s+/).flatMap((name) => (name ? [{ name }] : [])));
  const visit = (node: Node): void => {
    const { type } = node;
    if (type === 'JSXAttribute' && NAMES.test(nameOf(node.name as Node))) collect(node.value as Node);
    else if (type === 'Property' && nameOf(node.key as Node) === 'class') collect(node.value as Node);
    else if (type === 'VariableDeclarator' && NAMES.test(nameOf(node.id as Node))) collect(node.init as Node);
    else if (type === 'AssignmentExpression' && nameOf(node.left as Node) === 'className') collect(node.right as Node);
    else for (const inner of Object.values(node).flat()) if (isNode(inner)) visit(inner);
  };
  visit(parseSync(file, source).program as unknown as Node);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
