import { scanOrphans } from '../store/query/scan.ts';
import type { Scope } from '../store/query/scope.ts';
import type { Violation } from './invariant.ts';

const LABELS: Record<string, string> = {
  workspaces: 'Workspace',
  versions: 'Draft or version',
  revisions: 'Revision',
  artifacts: 'File',
  references: 'Reference',
  jobs: 'Job',
  runs: 'Run',
  draftBackups: 'Draft backup',
  views: 'View',
};

/** Checks that no record belongs to a document that does not exist. */
export async function* checkOrphans(scope: Scope): AsyncGenerator<Violation> {
  for await (const { name, id, documentId } of scanOrphans(scope))
    yield {
      invariant: 'I7',
      id,
      message: `${LABELS[name]} ${id} belongs to document ${documentId}, which does not exist.`,
    };
}
