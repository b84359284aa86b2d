import type { Scope } from '../store/query/scope.ts';
import { withoutDocument } from '../store/query/whole-collections.ts';
import type { Violation } from './invariant.ts';

const WORDS: Record<string, string> = {
  workspaces: 'Workspace',
  versions: 'Draft or version',
  revisions: 'Revision',
  artifacts: 'File',
  references: 'Reference',
  jobs: 'Job',
  runs: 'Run',
  draftBackups: 'Kept draft content',
};

/** Nothing belongs to a document that is not there. */
export async function* checkOrphans(scope: Scope): AsyncGenerator<Violation> {
  for await (const { name, id, documentId } of withoutDocument(scope))
    yield {
      invariant: 'I7',
      id,
      message: `${WORDS[name]} ${id} belongs to document ${documentId}, which does not exist.`,
    };
}
