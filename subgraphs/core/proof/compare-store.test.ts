// Changes stored records directly in the database, and expects the comparison with the audit log to name each change.
import fc from 'fast-check';
import { type Collection, type Document, ObjectId } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { drawFrom } from '../../../test/support/audit-logs.ts';
import { content } from '../../../test/support/content.ts';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import { playHistory } from '../../../test/support/store-histories.ts';
import { createFolder } from '../../documents/folders/create-folder.ts';
import { updateFolder } from '../../documents/folders/update-folder.ts';
import { canonicalJson } from '../domain/audit/canonical-json.ts';
import { loggedFields, PROVEN_COLLECTIONS, type ProvenCollection } from '../domain/audit/proven-record.ts';
import type { RecordDifference } from './compare-chain.ts';
import { compareStore } from './compare-store.ts';

const HISTORIES = Number(process.env.PDM_TEST_PROVEN_HISTORIES ?? 200);
const TAMPERINGS = Number(process.env.PDM_TEST_TAMPERINGS ?? 300);

// a store for each test, because a comparison reads all of it
let store: TestStore;
beforeEach(async () => {
  store = await testStore();
});
afterEach(() => store.close());

type AnyRecord = Document & { _id: string };
const records = (name: string): Collection<AnyRecord> => store.services.mongo.db.collection<AnyRecord>(name);

async function differences(chains?: string[]): Promise<RecordDifference[]> {
  const found: RecordDifference[] = [];
  await compareStore(
    { db: store.services.mongo.db },
    { now: new Date(), chains, report: (one) => void found.push(one) },
  );
  return found;
}

test(`finds no difference in ${HISTORIES} generated histories`, { timeout: 60_000 + HISTORIES * 2_000 }, async () => {
  let played = 0;
  const property = fc.asyncProperty(fc.infiniteStream(fc.nat()), async (seeds) => {
    const documents = await playHistory(store.services, drawFrom(seeds));
    // the chains of users, folders and webhooks grow with all histories
    const shared = ++played % 50 ? [] : ['folders', 'access', 'system'];
    expect(await differences([...documents, ...shared])).toEqual([]);
  });
  await fc.assert(property, { numRuns: HISTORIES, endOnFailure: true });
  expect(await differences()).toEqual([]);
});

test('finds no difference while commands write', { timeout: 60_000 }, async () => {
  const { run } = content(store.services);
  let writing = true;
  const folder = await run(createFolder, { name: 'Busy' });
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let i = 0; writing; i++) {
      if (writer === 0) await run(updateFolder, { id: folder._id, name: `Busy ${i}` });
      else await playHistory(store.services, drawFrom(fc.sample(fc.infiniteStream(fc.nat()), 1)[0]!));
    }
  });
  for (let i = 0; i < 5; i++) expect(await differences()).toEqual([]);
  writing = false;
  await Promise.all(writers);
  expect(await differences()).toEqual([]);
});

/** What the log does not hold: SECURITY.md lists it. */
const NOT_LOGGED: Partial<Record<string, string[]>> = {
  users: ['name'],
  tokens: ['name', 'lastUsedAt'],
  workspaces: ['reservation.expiresAt', 'reservation.ttlSeconds'],
};
/** They say which reference it is: another value makes it another one, and the former one is missing. */
const KEYS: Partial<Record<string, string[]>> = { references: ['versionId', 'line'] };

describe('reports with its record, its field, the logged and the stored value', () => {
  const names = [...(Object.keys(PROVEN_COLLECTIONS) as ProvenCollection[]), 'references' as const];
  type Tampering = {
    name: string;
    /** The records, each of which must be named. */
    ids: string[];
    /** The changed field; null: a record was inserted or deleted, undefined: any. */
    field?: string | null;
    apply(): Promise<unknown>;
    undo(): Promise<unknown>;
  };

  const drawTampering = async (draw: (below: number) => number): Promise<Tampering | null> => {
    const name = names[draw(names.length)]!;
    const all = await records(name).find().sort({ _id: 1 }).toArray();
    if (all.length < 2) return null;
    const record = all[draw(all.length)]!;
    const { _id } = record;
    const restore = () => records(name).replaceOne({ _id }, record, { upsert: true });
    switch (draw(8)) {
      case 0:
        return { name, ids: [_id], field: null, apply: () => records(name).deleteOne({ _id }), undo: restore };
      case 1: {
        const copy = insertedCopy(name, record, draw);
        return {
          name,
          ids: [copy._id],
          field: null,
          apply: () => records(name).insertOne(copy),
          undo: () => records(name).deleteOne({ _id: copy._id }),
        };
      }
      case 2: {
        const other = all[draw(all.length)]!;
        if (isSameToLog(name, record, other)) return null;
        return {
          name,
          ids: [_id, other._id],
          apply: () => replaceBoth(name, { ...other, _id }, { ...record, _id: other._id }),
          undo: () => replaceBoth(name, record, other),
        };
      }
      default: {
        const fields = Object.keys(record).filter((field) => isLogged(name, field));
        const field = fields[draw(fields.length)]!;
        const value = otherValue(record[field], draw, (key) => isLogged(name, `${field}.${key}`));
        return {
          name,
          ids: [_id],
          field,
          apply: () => records(name).updateOne({ _id }, { $set: { [field]: value } }),
          undo: restore,
        };
      }
    }
  };

  test(`${TAMPERINGS} random tamperings`, { timeout: 60_000 + TAMPERINGS * 2_000 }, async () => {
    for (let i = 0; i < 5; i++)
      await playHistory(store.services, drawFrom(fc.sample(fc.infiniteStream(fc.nat()), 1)[0]!));
    const draw = drawFrom(fc.sample(fc.infiniteStream(fc.nat()), 1)[0]!);
    for (let done = 0; done < TAMPERINGS; ) {
      const tampering = await drawTampering(draw);
      if (!tampering) continue;
      const { name, ids, field } = tampering;
      // a unique index may make it impossible
      const isApplied = await tampering.apply().then(() => true, isDuplicate);
      const found = isApplied ? await differences() : [];
      await tampering.undo();
      if (!isApplied) continue;
      for (const id of ids) {
        const named = found.filter((one) => one.collection === name && one.id === id);
        expect(named, `${name} ${id} ${field}`).not.toEqual([]);
        const accepted = KEYS[name]?.includes(field ?? '') ? [field, null] : [field];
        if (field !== undefined)
          expect(
            named.map((one) => one.field?.split(/[.[]/)[0] ?? null),
            `${name} ${id} ${field}`,
          ).toEqual(expect.arrayContaining([expect.toBeOneOf(accepted)]));
        for (const one of named) expect(one.expected).not.toEqual(one.actual);
      }
      done += 1;
    }
    expect(await differences()).toEqual([]);
  });

  const isLogged = (name: string, path: string) => !['_id', 'lock', ...(NOT_LOGGED[name] ?? [])].includes(path);

  const isSameToLog = (name: string, ...two: [AnyRecord, AnyRecord]) => {
    const [one, other] = two.map(({ _id, ...rest }) =>
      canonicalJson(name === 'references' ? rest : loggedFields(name as ProvenCollection, { _id: null, ...rest })),
    );
    return one === other;
  };

  // not by two replacements, because the values of unique indexes would collide
  const replaceBoth = async (name: string, ...two: AnyRecord[]) => {
    await records(name).deleteMany({ _id: { $in: two.map(({ _id }) => _id) } });
    await records(name).insertMany(two);
  };

  const isDuplicate = (error: { code?: number }) => {
    if (error.code !== 11000) throw error;
    return false;
  };
});

let copies = 0;
function insertedCopy(name: string, record: AnyRecord, draw: (below: number) => number): AnyRecord {
  copies += 1;
  const unique: Document =
    {
      numbers: {},
      documents: { number: `X-${copies}` },
      folders: { nameKey: `x${copies}`, name: `x${copies}` },
      workspaces: { nameKey: `x${copies}`, name: `x${copies}`, draftId: `ver_x${copies}` },
      versions: { n: 1_000 + copies, workspaceId: `wsp_x${copies}` },
      revisions: { ordinal: 1_000 + copies, label: `X${copies}`, versionId: `ver_x${copies}` },
      artifacts: { versionId: `ver_x${copies}` },
      runs: { key: `x${copies}` },
      tokens: { prefix: `x${copies}` },
      sessions: { sha256: `x${copies}` },
      references: { line: 1_000 + copies },
    }[name] ?? {};
  const owner = 'documentId' in record && draw(4) === 0 ? { documentId: `doc_x${copies}` } : {};
  const _id = name === 'references' ? `${record.versionId}/${unique.line}` : `x_${copies}`;
  return { ...record, ...unique, ...owner, _id };
}

/** Returns a different value; of an object, one with a key changed, added or removed. `isLogged`: whether a key counts. */
function otherValue(
  value: unknown,
  draw: (below: number) => number,
  isLogged: (key: string) => boolean = () => true,
): unknown {
  if (typeof value === 'string') return draw(4) ? `${value}x` : null;
  if (typeof value === 'number') return value + 1 + draw(5);
  if (typeof value === 'boolean') return !value;
  if (value instanceof Date) return draw(4) ? new Date(value.getTime() + 1 + draw(1e6)) : value.toISOString();
  if (Array.isArray(value)) {
    if (!value.length || draw(3) === 0) return [...value, 'x'];
    const at = draw(value.length);
    return draw(2) ? value.toSpliced(at, 1) : value.toSpliced(at, 1, otherValue(value[at], draw));
  }
  if (value instanceof ObjectId) return new ObjectId();
  if (value === null || value === undefined) return 'x';
  const keys = Object.keys(value).filter(isLogged);
  if (!keys.length || draw(5) === 0) return { ...value, x: 'x' };
  const key = keys[draw(keys.length)]!;
  const { [key]: item, ...others } = value as Record<string, unknown>;
  // a missing field counts as null
  return item != null && draw(4) === 0 ? others : { ...value, [key]: otherValue(item, draw) };
}
