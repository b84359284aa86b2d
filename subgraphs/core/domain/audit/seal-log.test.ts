import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCheckpoint } from './checkpoint.ts';
import { buildTree, treeRoot } from './merkle.ts';
import {
  type LogTree,
  leafOf,
  type PendingLink,
  type PendingTransaction,
  sealingOrder,
  sealRecords,
  selectSealable,
} from './seal-log.ts';

const EMPTY: LogTree = { log: 'test', size: 0, peaks: [], note: null };
const unsigned = (text: string) => `${text}\n`;

// records of a few chains, with times of unsynchronized clocks
const pendings = fc
  .array(fc.record({ chain: fc.constantFrom('a', 'b', 'c'), at: fc.date({ noInvalidDate: true }) }), {
    maxLength: 40,
    size: 'max',
  })
  .map((drawn) => {
    const next = new Map<string, number>();
    return drawn.map(({ chain, at }, i): PendingLink => {
      next.set(chain, (next.get(chain) ?? 0) + 1);
      return { _id: `aud_${i}`, chain, at, chainSeq: next.get(chain) as number, hash: String(i).padStart(64, '0') };
    });
  });

test('seals every record once, in the order of its chain', () => {
  fc.assert(
    fc.property(pendings, (pending) => {
      const order = sealingOrder(pending);
      expect(order.map(({ _id }) => _id).sort()).toEqual(pending.map(({ _id }) => _id).sort());
      for (const links of Map.groupBy(order, ({ chain }) => chain).values())
        expect(links.map(({ chainSeq }) => chainSeq)).toEqual(links.map((_, i) => i + 1));
    }),
  );
});

// the same records grouped into transactions, in any order
const transactions = fc
  .tuple(pendings, fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }), fc.infiniteStream(fc.nat()))
  .map(([pending, sizes, keys]) => {
    const written: PendingTransaction[] = [];
    for (let from = 0, n = 0; from < pending.length; from += 1 + sizes[n++]!) {
      const links = pending.slice(from, from + 1 + sizes[n]!);
      written.push({ _id: links[0]!._id, links });
    }
    const drawn = new Map(written.map((transaction) => [transaction, Number(keys.next().value)]));
    return { written, found: written.toSorted((a, b) => drawn.get(a)! - drawn.get(b)!) };
  });
const lastOf = (chains: Iterable<PendingTransaction>) =>
  new Map([...chains].flatMap(({ links }) => links).map(({ chain, chainSeq }) => [chain, chainSeq]));

test('selects exactly the transactions whose chains continue without gaps', () => {
  fc.assert(
    fc.property(transactions, fc.nat(40), fc.nat(40), ({ written, found }, before, limit) => {
      const sealedBefore = new Set(written.slice(0, before));
      const waiting = found.filter((transaction) => !sealedBefore.has(transaction)).slice(0, limit);
      const selected = new Set(selectSealable(waiting, lastOf(sealedBefore)));
      const reached = lastOf(sealedBefore);
      const expected = new Set<PendingTransaction>();
      for (const transaction of written) {
        const next = new Map(reached);
        const follows = transaction.links.every(({ chain, chainSeq }) => {
          const isNext = chainSeq === (next.get(chain) ?? 0) + 1;
          next.set(chain, chainSeq);
          return isNext;
        });
        if (!waiting.includes(transaction) || !follows) continue;
        expected.add(transaction);
        for (const [chain, chainSeq] of next) reached.set(chain, chainSeq);
      }
      expect(selected).toEqual(expected);
    }),
  );
});

test('orders records by time where the chains allow it', () => {
  const at = (ms: number) => new Date(ms);
  const order = sealingOrder([
    { _id: '1', chain: 'b', chainSeq: 1, at: at(5), hash: '' },
    { _id: '2', chain: 'a', chainSeq: 1, at: at(3), hash: '' },
    { _id: '3', chain: 'a', chainSeq: 2, at: at(9), hash: '' },
    { _id: '4', chain: 'c', chainSeq: 7, at: at(4), hash: '' },
  ]);
  expect(order.map(({ _id }) => _id)).toEqual(['2', '4', '1', '3']);
});

test('computes the same tree and checkpoint in any number of steps', () => {
  fc.assert(
    fc.property(pendings, fc.nat(40), (pending, cut) => {
      const order = sealingOrder(pending);
      const first = sealRecords(EMPTY, order.slice(0, cut), unsigned);
      const second = sealRecords(first.tree, order.slice(cut), unsigned);
      const seals = [...first.seals, ...second.seals];
      expect(seals.map(({ _id }) => _id)).toEqual(seals.map((_, i) => i + 1));
      expect(second.tree).toEqual(sealRecords(first.tree, order.slice(cut).reverse(), unsigned).tree);
      const root = treeRoot(buildTree(seals.map(leafOf)));
      expect(parseCheckpoint(second.tree.note ?? '')).toEqual({ origin: 'pdm/audit/test', size: pending.length, root });
    }),
  );
});
