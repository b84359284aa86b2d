export function DocumentPage(props: { id: string; tab: string }) {
  return <p>{JSON.stringify(props)}</p>;
}
