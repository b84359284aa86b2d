import { ReadReferencesDocument, ResolveAddressDocument } from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const REFERENCE_ROUTES: readonly Route[] = [
  route(
    'GET /versions/:id/references',
    'What an assembly uses: resolved now in a draft, as it was frozen in a version',
    ReadReferencesDocument,
    'referencePage',
    { id: 'path', ...PAGE },
    { usualSort: 'position' },
  ),
  route('GET /resolve', 'What an address means now, and why', ResolveAddressDocument, 'resolveAddress', {
    address: 'query',
  }),
];
