type Workspace = { id: string; name: string; archived: boolean };

/** The workspaces of a document, to choose one of them. */
export function WorkspaceOptions({ workspaces }: { workspaces: readonly Workspace[] }) {
  return (
    <>
      {workspaces.map(({ id, name, archived }) => (
        <option key={id} value={id}>
          {name}
          {archived ? ' (archived)' : ''}
        </option>
      ))}
    </>
  );
}
