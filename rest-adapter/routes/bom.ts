import { operation, type ReadBomQuery } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import { createTable } from '../send-table.ts';

const CSV = createTable<ReadBomQuery['bom']>(
  [
    { title: 'Level', value: ({ level }) => level },
    // Spreadsheets would read 1.10 as a number and 1.2.3 as a date.
    { title: 'Path', value: ({ path }) => path.replaceAll('.', ' > ') },
    { title: 'Find number', value: ({ findNumber }) => findNumber },
    { title: 'Number', value: ({ number }) => number },
    { title: 'Name', value: ({ name }) => name },
    { title: 'Kind', value: ({ kind }) => kind },
    { title: 'Revision', value: ({ resolution }) => resolution?.label ?? null },
    { title: 'Version', value: ({ resolution }) => resolution?.n ?? null },
    { title: 'Quantity', value: ({ quantity }) => quantity },
    { title: 'Total quantity', value: ({ totalQuantity }) => totalQuantity },
    { title: 'Outdated', value: ({ outdated }) => outdated },
    { title: 'Outdated below', value: ({ outdatedBelow }) => outdatedBelow },
    { title: 'Obsolete', value: ({ resolution }) => resolution?.obsolete ?? null },
    { title: 'Status', value: ({ status }) => status },
    { title: 'Reason', value: ({ reason }) => reason },
    { title: 'Address', value: ({ address }) => address },
    { title: 'Document id', value: ({ documentId }) => documentId },
    { title: 'Version id', value: ({ resolution }) => resolution?.versionId ?? null },
  ],
  ({ number, name, n, mode }) =>
    `${number} ${name} ${n === null ? 'draft' : `V${n}`} BOM${mode === 'indented' ? '' : ` ${mode}`}.csv`,
);

export const BOM_ROUTES: readonly Route[] = [
  route('GET /versions/:id/bom', {
    summary:
      'Read the bill of materials of an assembly (indented, flat or top level), with its references as frozen or as resolved now',
    operation: operation(`
      query ReadBom($id: ID!, $mode: BomMode, $depth: Int, $resolve: BomResolve) {
        bom(versionId: $id, mode: $mode, depth: $depth, resolve: $resolve) {
          documentId
          number
          name
          versionId
          n
          mode
          resolve
          items {
            ...BomRow
          }
        }
      }
    `),
    pick: 'bom',
    errors: ['bad_address', 'not_a_version', 'wrong_kind'],
    variables: { id: 'path', mode: 'query', depth: 'query', resolve: 'query' },
    csv: CSV,
  }),
  route('GET /versions/:id/bom/compare', {
    summary: 'Compare two bills of materials; `with` is the id of the other draft, version or revision',
    operation: operation(`
      query CompareBoms($id: ID!, $with: ID!) {
        compareBoms(id: $id, with: $with) {
          from {
            ...ComparedBom
          }
          to {
            ...ComparedBom
          }
          changes {
            change
            differences
            contentChanged
            level
            from {
              ...BomRow
            }
            to {
              ...BomRow
            }
          }
        }
      }
    `),
    pick: 'compareBoms',
    errors: ['bad_address', 'not_a_version', 'wrong_kind'],
    variables: { id: 'path', with: 'query' },
  }),
];
