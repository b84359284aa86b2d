import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCheckpoint } from './checkpoint.ts';
import { rootOf, treeOf } from './merkle.ts';
import { type LogTree, leafOf, type Pending, sealed, sealingOrder } from './seal-log.ts';

const EMPTY: LogTree = { log: 'test', size: 0, peaks: [], note: null };
const unsigned = (text: string) => `${text}\n`;

// records of a few chains, times as clocks that disagree would tell them
const pendings = fc
  .array(fc.record({ chain: fc.constantFrom('a', 'b', 'c'), at: fc.date({ noInvalidDate: true }) }), { maxLength: 40 })
  .map((drawn) => {
    const next = new Map<string, number>();
    return drawn.map(({ chain, at }, i): Pending => {
      next.set(chain, (next.get(chain) ?? 0) + 1);
      return { _id: `aud_${i}`, chain, at, chainSeq: next.get(chain) as number, hash: String(i).padStart(64, '0') };
    });
  });

test('every record is sealed once, each chain in its own order', () => {
  fc.assert(
    fc.property(pendings, (pending) => {
      const order = sealingOrder(pending);
      expect(order.map(({ _id }) => _id).sort()).toEqual(pending.map(({ _id }) => _id).sort());
      for (const links of Map.groupBy(order, ({ chain }) => chain).values())
        expect(links.map(({ chainSeq }) => chainSeq)).toEqual(links.map((_, i) => i + 1));
    }),
  );
});

test('records are sealed in the order of time where the chains agree with it', () => {
  const at = (ms: number) => new Date(ms);
  const order = sealingOrder([
    { _id: '1', chain: 'b', chainSeq: 1, at: at(5), hash: '' },
    { _id: '2', chain: 'a', chainSeq: 1, at: at(3), hash: '' },
    { _id: '3', chain: 'a', chainSeq: 2, at: at(9), hash: '' },
    { _id: '4', chain: 'c', chainSeq: 7, at: at(4), hash: '' },
  ]);
  expect(order.map(({ _id }) => _id)).toEqual(['2', '4', '1', '3']);
});

test('the tree and its checkpoint are those of all leaves, in however many steps they were sealed', () => {
  fc.assert(
    fc.property(pendings, fc.nat(40), (pending, cut) => {
      const order = sealingOrder(pending);
      const first = sealed(EMPTY, order.slice(0, cut), unsigned);
      const second = sealed(first.tree, order.slice(cut), unsigned);
      const seals = [...first.seals, ...second.seals];
      expect(seals.map(({ _id }) => _id)).toEqual(seals.map((_, i) => i + 1));
      expect(second.tree).toEqual(sealed(first.tree, order.slice(cut).reverse(), unsigned).tree);
      const root = rootOf(treeOf(seals.map(leafOf)));
      expect(readCheckpoint(second.tree.note ?? '')).toEqual({ origin: 'pdm/audit/test', size: pending.length, root });
    }),
  );
});
