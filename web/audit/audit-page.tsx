export function AuditPage() {
  return <p></p>;
}
