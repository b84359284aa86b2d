import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

const SCENE = {
  camera: { position: [250, -300, 220], target: [60, 40, 20], height: null },
  hidden: ['frame/bolt-1'],
  transparent: [],
  sections: [{ axis: 'y', at: 40, flipped: false }],
  explode: null,
};

export const VIEW_ROUTES: readonly Route[] = [
  route('GET /versions/:id/views', {
    summary: 'List the named views of a draft or version',
    operation: operation(`
      query ListViews($id: ID!, $sort: ViewSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean) {
        version(id: $id) {
          viewPage(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
            items {
              ...View
            }
            nextCursor
            total
          }
        }
      }
    `),
    pick: 'version.viewPage',
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: 'createdAt',
  }),
  route('POST /versions/:id/views', {
    summary: 'Create a named view of a draft or version',
    operation: operation(`
      mutation CreateView($id: ID!, $name: String!, $scene: SceneInput!) {
        createView(versionId: $id, name: $name, scene: $scene) {
          ...View
        }
      }
    `),
    pick: 'createView',
    errors: ['document_archived', 'name_taken', 'workspace_archived'],
    variables: { id: 'path', name: 'body.*', scene: 'body.*' },
    example: { name: 'Bearing cut open', scene: SCENE },
    status: 201,
    location: '/views/:id',
  }),
  route('GET /views/:id', {
    summary: 'Read a named view',
    operation: operation(`
      query ReadView($id: ID!) {
        view(id: $id) {
          ...View
        }
      }
    `),
    pick: 'view',
    variables: { id: 'path' },
  }),
  route('PATCH /views/:id', {
    summary: 'Rename a named view, or replace what it shows',
    operation: operation(`
      mutation UpdateView($id: ID!, $name: String, $scene: SceneInput) {
        updateView(id: $id, name: $name, scene: $scene) {
          ...View
        }
      }
    `),
    pick: 'updateView',
    errors: ['document_archived', 'name_taken', 'workspace_archived'],
    variables: { id: 'path', name: 'body.*', scene: 'body.*' },
    example: { name: 'Bearing', scene: SCENE },
    notNull: ['name', 'scene'],
  }),
  route('DELETE /views/:id', {
    summary: 'Delete a named view',
    operation: operation(`
      mutation DeleteView($id: ID!) {
        deleteView(id: $id)
      }
    `),
    pick: 'deleteView',
    errors: ['document_archived', 'workspace_archived'],
    variables: { id: 'path' },
    status: 204,
  }),
];
