import { EXAMPLE_IDS } from '../example-ids.ts';
import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

export const FOLDER_ROUTES: readonly Route[] = [
  route('GET /folders', {
    summary: 'List all folders with their parents and document counts, ordered by path',
    operation: operation(`
      query ListFolders($sort: FolderSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean) {
        folderPage(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
          items {
            ...Folder
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'folderPage',
    variables: PAGE_VARIABLES,
    defaultSort: 'path',
    pageSizes: { default: null, max: 200 },
  }),
  route('POST /folders', {
    summary: 'Create a folder',
    operation: operation(`
      mutation CreateFolder($name: String!, $parentId: ID) {
        createFolder(name: $name, parentId: $parentId) {
          ...Folder
        }
      }
    `),
    pick: 'createFolder',
    errors: ['name_taken', 'not_found'],
    variables: { name: 'body.*', parentId: 'body.*' },
    example: { name: 'Drive train', parentId: EXAMPLE_IDS.folder },
    status: 201,
    location: '/folders/:id',
  }),
  route('GET /folders/:id', {
    summary: 'Read a folder',
    operation: operation(`
      query ReadFolder($id: ID!) {
        folder(id: $id) {
          ...Folder
        }
      }
    `),
    pick: 'folder',
    variables: { id: 'path' },
  }),
  route('PATCH /folders/:id', {
    summary: 'Rename or move a folder; `parentId` null moves it to the top level',
    operation: operation(`
      mutation UpdateFolder($id: ID!, $name: String, $parentId: ID) {
        updateFolder(id: $id, name: $name, parentId: $parentId) {
          ...Folder
        }
      }
    `),
    pick: 'updateFolder',
    errors: ['folder_cycle', 'name_taken'],
    variables: { id: 'path', name: 'body.*', parentId: 'body.*' },
    example: { name: 'Gear box', parentId: null },
    notNull: ['name'],
  }),
  route('DELETE /folders/:id', {
    summary: 'Delete an empty folder',
    operation: operation(`
      mutation DeleteFolder($id: ID!) {
        deleteFolder(id: $id)
      }
    `),
    pick: 'deleteFolder',
    errors: ['folder_not_empty'],
    variables: { id: 'path' },
    status: 204,
  }),
];
