import DataLoader from 'dataloader';
import { allowance } from '../core/allowance.ts';
import { byId, listsBy } from '../core/loaders.ts';
import { frozenChildrenOf, usersOfLabels } from '../core/store/assembly/frozen-references.ts';
import type { Scope } from '../core/store/query/scope.ts';
import { revisionsOf } from '../core/store/revisions.ts';
import type { DocumentRecord } from '../core/store/schema/collections.ts';
import { versionsOf } from '../core/store/versions.ts';
import { workspacesOf } from '../core/store/workspaces.ts';

export type Loaders = ReturnType<typeof loaders>;

// Each graph is seven queries of its own; the SDL says so.
const MOST_GRAPHS = 10;
// Each page is a query of its own, and so is its total.
const MOST_LISTS = 20;

/** The loaders of one request: however many documents or versions it names, each is one query. */
export function loaders(scope: Scope) {
  const ofDocument = ({ documentId }: { documentId: string }) => documentId;
  return {
    document: byId(scope, 'documents'),
    workspace: byId(scope, 'workspaces'),
    version: byId(scope, 'versions'),
    revision: byId(scope, 'revisions'),
    graphAllowance: allowance('versionGraphs', MOST_GRAPHS, 'version graphs'),
    versionListAllowance: allowance('versionLists', MOST_LISTS, 'pages of versions and revisions'),
    user: byId(scope, 'users'),
    workspacesOfDocument: listsBy((ids) => workspacesOf(scope, ids), ofDocument),
    versionsOfDocument: listsBy((ids) => versionsOf(scope, ids), ofDocument),
    frozenChildren: new DataLoader(async (versionIds: readonly string[]) => {
      const children = Map.groupBy(await frozenChildrenOf(scope, versionIds), ({ versionId }) => versionId);
      return versionIds.map((id) => (children.get(id) ?? []).map(({ child }) => child));
    }),
    usersOfLabel: new DataLoader(
      async (labels: readonly { document: DocumentRecord; label: string }[]) => {
        const users = Map.groupBy(
          await usersOfLabels(scope, labels),
          ({ documentId, label }) => `${documentId}@${label}`,
        );
        return labels.map(({ document, label }) =>
          (users.get(`${document._id}@${label}`) ?? []).map(({ user }) => user),
        );
      },
      { cacheKeyFn: ({ document, label }) => `${document._id}@${label}` },
    ),
    revisionsOfDocument: listsBy((ids) => revisionsOf(scope, ids), ofDocument),
  };
}
