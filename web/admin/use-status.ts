// The status of the API process, for administrators.
import { useEffect, useState } from 'preact/hooks';
import { readJson } from '../shell/api-client.ts';
import { asError } from '../ui/errors.ts';

type Setting = {
  name: string;
  description: string;
  value: string | null;
  isSecret: boolean;
  source: 'default' | 'environment' | 'file';
};
type RefusedSignIns = {
  ip: string;
  token: string | null;
  reason: 'invalid' | 'inactive';
  count: number;
  firstAt: string;
  lastAt: string;
};
export type AdministrationStatus = {
  version: string;
  storeFormat: number;
  node: string;
  startedAt: string;
  settings: Setting[];
  refusedSignIns: RefusedSignIns[];
};

/** Reads the status once. */
export function useAdministrationStatus(): { status: AdministrationStatus | null; error: Error | null } {
  const [status, setStatus] = useState<AdministrationStatus | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    readJson<AdministrationStatus>('/administration/status', controller.signal).then(setStatus, (reason: unknown) => {
      if (!controller.signal.aborted) setError(asError(reason));
    });
    return () => controller.abort();
  }, []);
  return { status, error };
}
