// The response of GET /health.

/** The components below the API; `late` and `full` ones respond. */
export type Health = { parts: Record<string, { status: 'ok' | 'late' | 'full' | 'unavailable'; detail?: string }> };

export type HealthReport = Health & { status: 'ok' | 'degraded' | 'unavailable'; version: string; down: string[] };

/**
 * Adds the API, which is healthy because it responds, and lists the components that do not respond in `down`. The status
 * is the worst of the parts: `degraded` if all respond, but one is late or full.
 */
export function healthReport({ parts }: Health, version: string): HealthReport {
  const down = Object.keys(parts).filter((name) => parts[name]?.status === 'unavailable');
  const isDegraded = Object.values(parts).some(({ status }) => status !== 'ok');
  const status = down.length ? 'unavailable' : isDegraded ? 'degraded' : 'ok';
  return { status, version, parts: { api: { status: 'ok' }, ...parts }, down };
}
