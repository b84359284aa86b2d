// Describes drafts and versions in messages and audit records.

type Described = {
  document: { number: string };
  workspace: { name: string };
  version: { type: 'draft' | 'version'; n: number | null };
};

/** Returns a phrase, e.g. `version 3 of PRT-1` or `the draft of workspace "main" of PRT-1`. */
export function describeDraftOrVersion({ document, workspace, version }: Described): string {
  const what = version.type === 'draft' ? `the draft of workspace "${workspace.name}"` : `version ${version.n}`;
  return `${what} of ${document.number}`;
}
