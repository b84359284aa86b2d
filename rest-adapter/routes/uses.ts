import {
  ReadReferenceUpdatesDocument,
  ReadReleaseImpactDocument,
  ReplaceInDraftsDocument,
  UpdateReferencesDocument,
  WhereUsedDocument,
} from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

/** Who uses what, and what newer there is of it. */
export const USE_ROUTES: readonly Route[] = [
  route(
    'GET /documents/:id/where-used',
    'Who uses the document: levels 1 or all',
    WhereUsedDocument,
    'whereUsed',
    {
      ...{ id: 'path', levels: 'query', scope: 'query', drafts: 'query', of: 'query', ...PAGE },
    },
    { usualSort: '-createdAt' },
  ),
  route(
    'POST /documents/:id/replace-in-drafts',
    'Let every draft that uses the document use another one instead, or tell what that would do',
    ReplaceInDraftsDocument,
    'replaceInDrafts',
    { id: 'path', with: 'body.*', dryRun: 'body.*', limit: 'query', cursor: 'query' },
    { sizes: { default: 200, max: 200 } },
  ),
  route(
    'GET /versions/:id/reference-updates',
    'What newer states there are of what an assembly uses',
    ReadReferenceUpdatesDocument,
    'referenceUpdates',
    { id: 'path' },
  ),
  route(
    'POST /versions/:id/reference-updates',
    'Move pinned references of a draft to newer states: those at paths, or all',
    UpdateReferencesDocument,
    'updateReferences',
    { id: 'path', paths: 'body.*', to: 'body.*' },
  ),
  route(
    'GET /versions/:id/release-impact',
    'Who would be touched when the version is released, made obsolete or taken back',
    ReadReleaseImpactDocument,
    'releaseImpact',
    { id: 'path', action: 'query', scope: 'query', limit: 'query', cursor: 'query' },
  ),
];
