import {
  CreateFolderDocument,
  DeleteFolderDocument,
  ListFoldersDocument,
  ReadFolderDocument,
  UpdateFolderDocument,
} from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const FOLDER_ROUTES: readonly Route[] = [
  route(
    'GET /folders',
    'All folders with parents and document counts, by path',
    ListFoldersDocument,
    'folderPage',
    PAGE,
    {
      usualSort: 'path',
      sizes: { default: null, max: 200 },
    },
  ),
  route(
    'POST /folders',
    'Create a folder',
    CreateFolderDocument,
    'createFolder',
    { name: 'body.*', parentId: 'body.*' },
    { status: 201, location: '/folders/:id' },
  ),
  route('GET /folders/:id', 'Read a folder', ReadFolderDocument, 'folder', { id: 'path' }),
  route(
    'PATCH /folders/:id',
    'Rename or move a folder; parentId null moves it to the top',
    UpdateFolderDocument,
    'updateFolder',
    { id: 'path', name: 'body.*', parentId: 'body.*' },
    { notNull: ['name'] },
  ),
  route(
    'DELETE /folders/:id',
    'Delete an empty folder',
    DeleteFolderDocument,
    'deleteFolder',
    { id: 'path' },
    { status: 204 },
  ),
];
