export function RunPage(props: { id: string }) {
  return <p>{JSON.stringify(props)}</p>;
}
