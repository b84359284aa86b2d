// The response of GET /health.

/** The health of the components below the API: the database and the file store. */
export type Health = { status: 'ok' | 'unavailable'; parts: Record<string, { status: string; detail?: string }> };

export type HealthReport = Health & { version: string; down: string[] };

/** Adds the API, which is healthy because it responds, and lists the components that do not respond in `down`. */
export function healthReport({ status, parts }: Health, version: string): HealthReport {
  const down = Object.keys(parts).filter((name) => parts[name]?.status === 'unavailable');
  return { status: down.length ? 'unavailable' : status, version, parts: { api: { status: 'ok' }, ...parts }, down };
}
