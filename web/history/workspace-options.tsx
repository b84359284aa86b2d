type Workspace = { id: string; name: string; archived: boolean };

/** The options of a workspace select. */
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
