export function FindPage(props: { folderId: string | null }) {
  return <p>{JSON.stringify(props)}</p>;
}
