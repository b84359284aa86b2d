// Checks the form of the architecture decision records in docs/decisions and their index.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, 'decisions');
const MAX_WORDS = 300;
const LINK = /\[(\d{4})\]\((\d{4}-[a-z0-9-]+\.md)\)/;
const LINKS = `${LINK.source}(?:, ${LINK.source})*`;
const STATUS = new RegExp(`^(?:accepted|superseded by ${LINK.source}|amended by ${LINKS})$`);

const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const files = readdirSync(FOLDER).filter((file) => file !== 'README.md');

function linkedFiles(text: string): string[] {
  return [...text.matchAll(new RegExp(LINK, 'g'))].map(([, , target = '']) => target);
}

function readRecord(file: string) {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  const [, number = '', title = ''] = /^# (\d+)\. (.+)\n/.exec(text) ?? [];
  return {
    text,
    number,
    title,
    status: field('Status'),
    date: field('Date'),
    amends: linkedFiles(field('Amends')),
    supersedes: linkedFiles(field('Supersedes')),
  };
}

const records = new Map(files.map((file) => [file, readRecord(file)]));

function filesThat(relation: 'amends' | 'supersedes', target: string): string[] {
  return files.filter((file) => records.get(file)?.[relation].includes(target));
}

describe.each(files)('%s', (file) => {
  const { text, number, title, status, date } = readRecord(file);

  test('has the number of its file name and a title', () => {
    expect(file).toMatch(/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/);
    expect(number).toBe(String(Number(file.slice(0, 4))));
    expect(title).not.toBe('');
  });

  test('has a valid status and an ISO date', () => {
    expect(status).toMatch(STATUS);
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
  });

  test('links only to existing records, under their numbers', () => {
    for (const [, label = '', target = ''] of text.matchAll(new RegExp(LINK, 'g'))) {
      expect(files).toContain(target);
      expect(target.slice(0, 4)).toBe(label);
    }
  });

  test('links to the records that amend or supersede it, and they link back', () => {
    const relation = status.startsWith('superseded') ? 'supersedes' : 'amends';
    expect(linkedFiles(status)).toEqual(filesThat(relation, file));
    if (relation === 'amends') expect(filesThat('supersedes', file)).toEqual([]);
  });

  test(`has at most ${MAX_WORDS} words`, () => {
    const words = text.replace(/\]\([^)]*\)/g, ']').match(/\S+/g) ?? [];
    expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
  });

  test('appears once in the index, with its title and status', () => {
    const row = `| [${file.slice(0, 4)}](${file}) | ${title} | ${status} |`;
    expect(index.split('\n').filter((line) => line === row)).toHaveLength(1);
  });
});

test('lists only existing records in the index', () => {
  const indexed = [...index.matchAll(/^\| \[\d{4}\]\(([^)]+)\)/gm)].map(([, target]) => target);
  expect(indexed.sort()).toEqual(files);
});
