/** What the service finds when it looks at its parts: the database, the file store. */
export type Health = { status: 'ok' | 'unavailable'; parts: Record<string, { status: string; detail?: string }> };

export type HealthReport = Health & { version: string; down: string[] };

/** The health of the API (which answers, so it is well) and of the parts under it; `down` names those that do not answer. */
export function healthReport({ status, parts }: Health, version: string): HealthReport {
  const down = Object.keys(parts).filter((name) => parts[name]?.status === 'unavailable');
  return { status: down.length ? 'unavailable' : status, version, parts: { api: { status: 'ok' }, ...parts }, down };
}
