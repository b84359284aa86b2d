export function JobsPage(props: { jobId: string | null }) {
  return <p>{JSON.stringify(props)}</p>;
}
