export function AdminPage(props: { part: string }) {
  return <p>{JSON.stringify(props)}</p>;
}
