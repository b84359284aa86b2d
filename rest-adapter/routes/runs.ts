import { SetCodeDocument, SyncCodeDocument } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';

export const RUN_ROUTES: readonly Route[] = [
  route('PUT /versions/:id/code', 'Name where the generator of a code draft lives', SetCodeDocument, 'setCode', {
    id: 'path',
    repoUrl: 'body.*',
    ref: 'body.*',
    path: 'body.*',
  }),
  route(
    'POST /versions/:id/code/sync',
    'Fetch the code: the ref becomes a commit, its files and its manifest are stored',
    SyncCodeDocument,
    'syncCode',
    {
      id: 'path',
    },
  ),
];
