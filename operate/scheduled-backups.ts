// Backs up the embedded store into PDM_BACKUP_DIR at intervals. Backups share the pieces of the store that have not changed.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BackupStatus, BackupSummary } from '../subgraphs/core/backup-status.ts';
import { errorMessage } from '../subgraphs/core/domain/text/error-message.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import type { Log } from '../subgraphs/core/platform/log.ts';
import { version } from '../subgraphs/core/platform/version.ts';
import { copyKeys, hashFiles, MANIFEST, runStoreTask, STORE_LIST, writeManifest } from './backup-files.ts';
import { parseRetention, type Retention, timesToKeep } from './backup-retention.ts';
import { readManifest } from './restore.ts';

/** `target`: the folder of the backups. */
export type BackupPlan = { dataDir: string; target: string; everyMs: number; retention: Retention };

export type ScheduledBackups = { status(): BackupStatus; stop(): Promise<void> };

const HOUR_MS = 3_600_000;
const TICK_MS = 15_000;
const MAX_RETRY_MS = 10 * 60_000;
// The time of the start, as 2026-01-31T03-00-00-000Z.
const NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;
const PARTIAL = '.part';

/** Returns the plan in the settings; null if PDM_BACKUP_DIR is not set. */
export function backupPlan(config: Config): BackupPlan | null {
  if (!config.PDM_BACKUP_DIR) return null;
  return {
    dataDir: config.PDM_DATA_DIR,
    target: resolve(config.PDM_BACKUP_DIR),
    everyMs: config.PDM_BACKUP_EVERY * HOUR_MS,
    retention: parseRetention(config.PDM_BACKUP_KEEP),
  };
}

/** Starts a backup whenever one is due. A failed one is repeated after ten minutes. `stop` ends the running one. */
export function startScheduledBackups(plan: BackupPlan, log: Log): ScheduledBackups {
  const stopping = new AbortController();
  const startedAt = new Date();
  let failure: BackupStatus['failure'] = null;
  let backups: BackupSummary[] = [];
  let current: Promise<void> | null = null;

  const fail = (error: unknown) => {
    failure = { at: new Date(), message: errorMessage(error) };
    log.error({ part: 'backup' }, `The scheduled backup failed: ${failure.message}`);
  };
  const onUnreadable = (message: string) => log.warn({ part: 'backup' }, message);
  const nextAt = (): Date => {
    if (failure) return new Date(failure.at.getTime() + Math.min(plan.everyMs, MAX_RETRY_MS));
    const last = backups.at(-1);
    return last ? new Date(last.createdAt.getTime() + plan.everyMs) : startedAt;
  };
  const run = async () => {
    try {
      const { name, documents, bytes, newBytes } = await createBackup(plan, new Date(), stopping.signal);
      log.info({ part: 'backup', name, documents, bytes, newBytes }, 'backed up the store');
      failure = null;
      deleteExpired(plan, log);
      backups = listBackups(plan);
    } catch (error) {
      if (stopping.signal.aborted) return;
      fail(error);
    }
  };
  const tick = () => {
    if (current || nextAt().getTime() > Date.now()) return;
    current = run().finally(() => {
      current = null;
    });
  };
  try {
    warnAboutDisk(plan, log);
    backups = listBackups(plan, onUnreadable);
  } catch (error) {
    fail(error);
  }
  const timer = setInterval(tick, TICK_MS).unref();
  tick();

  return {
    status: () => ({
      folder: plan.target,
      everySeconds: plan.everyMs / 1000,
      running: current !== null,
      count: backups.length,
      lastBackup: backups.at(-1) ?? null,
      nextAt: nextAt(),
      failure,
    }),
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await current;
    },
  };
}

/**
 * Creates a backup. Its folder gets its name when everything in it is on disk and was read back. A failed backup is deleted;
 * one that was killed is replaced by the next, which uses its pieces.
 */
export async function createBackup(plan: BackupPlan, now: Date, signal?: AbortSignal): Promise<BackupSummary> {
  const { dataDir, target } = plan;
  // A missing folder may be a disk that is not mounted: creating it would fill another disk.
  if (!existsSync(target) || !statSync(target).isDirectory())
    throw new Error(`${target} is not a folder. Create it, or mount the disk that contains it.`);
  const interrupted = ownFolders(plan, (name) => name.endsWith(PARTIAL) && NAME.test(name.slice(0, -PARTIAL.length)));
  const last = listBackups(plan).at(-1);
  const name = now.toISOString().replace(/[:.]/g, '-');
  const folder = join(target, `${name}${PARTIAL}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
    await copyKeys(dataDir, folder);
    const earlier = [...(last ? [last.name] : []), ...interrupted].flatMap((from) => ['--earlier', join(target, from)]);
    const args = ['archive', '--data', join(dataDir, 'store'), '--to', folder, ...earlier];
    const contents = await runStoreTask(args, signal);
    // Again: the first seal, which the archive may contain, creates the key that signs it.
    const keys = await copyKeys(dataDir, folder);
    const files = { ...(await hashFiles(folder, [STORE_LIST])), ...keys };
    writeManifest(folder, { format: 'pdm-backup-2', version, createdAt: now.toISOString(), ...contents, files });
    renameSync(folder, join(target, name));
    return {
      name,
      createdAt: now,
      documents: contents.documents,
      bytes: contents.bytes ?? 0,
      newBytes: contents.newBytes ?? 0,
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    for (const partial of interrupted) rmSync(join(target, partial), { recursive: true, force: true });
  }
}

/**
 * Returns the complete backups of this installation, oldest first. Calls `onUnreadable` for each manifest that is damaged or
 * of a newer version: such a backup is neither used nor deleted.
 */
export function listBackups(plan: BackupPlan, onUnreadable: (message: string) => void = () => {}): BackupSummary[] {
  return ownFolders(plan, (name) => NAME.test(name))
    .filter((name) => existsSync(join(plan.target, name, MANIFEST)))
    .flatMap((name) => {
      try {
        const { createdAt, documents, bytes = 0, newBytes = 0 } = readManifest(join(plan.target, name));
        return [{ name, createdAt: new Date(createdAt), documents, bytes, newBytes }];
      } catch (error) {
        onUnreadable(errorMessage(error));
        return [];
      }
    });
}

function deleteExpired(plan: BackupPlan, log: Log): void {
  const backups = listBackups(plan);
  const kept = new Set(
    timesToKeep(
      backups.map(({ createdAt }) => createdAt),
      plan.retention,
    ),
  );
  for (const { name, createdAt } of backups) {
    if (kept.has(createdAt)) continue;
    rmSync(join(plan.target, name), { recursive: true });
    log.info({ part: 'backup', name }, 'deleted an expired backup');
  }
}

// Backups of other installations in the same folder have another secret. They are neither used nor deleted.
function ownFolders({ dataDir, target }: BackupPlan, isNamed: (name: string) => boolean): string[] {
  if (!existsSync(target)) return [];
  const secret = readFileSync(join(dataDir, 'secret'));
  const isOwn = (name: string) => {
    const copy = join(target, name, 'secret');
    return existsSync(copy) && readFileSync(copy).equals(secret);
  };
  return readdirSync(target)
    .filter((name) => isNamed(name) && isOwn(name))
    .sort();
}

function warnAboutDisk({ dataDir, target }: BackupPlan, log: Log): void {
  if (existsSync(target) && statSync(target).dev === statSync(dataDir).dev)
    log.warn(
      { part: 'backup' },
      `${target} is on the same disk as ${dataDir}: the backups do not survive its failure.`,
    );
}
