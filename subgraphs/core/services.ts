import { statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readAuditPublicKey, readOrCreateAuditKey } from './platform/audit-key.ts';
import { createCheckpointSender } from './platform/checkpoint-sender.ts';
import type { Config } from './platform/config.ts';
import type { Dispatch } from './platform/dispatch.ts';
import { localDispatch } from './platform/dispatch-local.ts';
import type { Log } from './platform/log.ts';
import { readOrCreateSecret } from './platform/secret.ts';
import { deriveLinkKey } from './platform/signed-link.ts';
import { trustedAuthorities } from './platform/trusted-authorities.ts';
import { deriveWebhookKey } from './platform/webhook-secret.ts';
import type { Mongo } from './store/mongo.ts';
import type { Services } from './work.ts';

// The embedded store rejects writes below this limit (embedded/storage/disk.ts).
const MIN_FREE_BYTES = 64 * 2 ** 20;

/** Creates the dependencies of commands and reads from the settings and a store connection. */
export function createServices(mongo: Mongo, config: Config, log: Log, dispatch: Dispatch = localDispatch()): Services {
  const secret = readOrCreateSecret(config.PDM_DATA_DIR);
  const isStoreFull = () => !config.MONGODB_URL && isDiskFull(config.PDM_DATA_DIR);
  if (isStoreFull())
    log.warn(
      `less than 64 MiB are free in ${config.PDM_DATA_DIR}: only reads and deletes succeed until there is space`,
    );
  return {
    mongo,
    dispatch,
    backups: () => null,
    log,
    clock: () => new Date(),
    isStoreFull,
    firstTokenFile: join(config.PDM_DATA_DIR, 'first-token'),
    sealing: {
      signingKey: () => readOrCreateAuditKey(config.PDM_DATA_DIR),
      publicKey: () => readAuditPublicKey(config.PDM_DATA_DIR),
      checkpointFile: config.PDM_CHECKPOINT_FILE,
      ...(config.PDM_CHECKPOINT_URL
        ? { checkpointSender: createCheckpointSender(config.PDM_CHECKPOINT_URL, log) }
        : {}),
    },
    links: { key: deriveLinkKey(secret), publicUrl: config.PDM_PUBLIC_URL },
    webhooks: {
      key: deriveWebhookKey(secret),
      networks: config.PDM_WEBHOOKS_ALLOWED_NETWORKS ?? [],
      trust: trustedAuthorities(config.PDM_WEBHOOKS_CA_FILE, 'PDM_WEBHOOKS_CA_FILE'),
    },
    limits: {
      maxUploadBytes: config.MAX_UPLOAD_BYTES,
      leaseSeconds: config.PDM_JOB_LEASE_SECONDS,
      reservationSeconds: config.PDM_RESERVATION_TTL_SECONDS,
      revisionScheme: config.REVISION_SCHEME,
      releasePolicy: config.RELEASE_POLICY,
      ofbWorker: config.PDM_OFB_WORKER,
      git: {
        hosts: config.PDM_GIT_ALLOWED_HOSTS,
        networks: config.PDM_GIT_ALLOWED_NETWORKS ?? [],
        local: config.PDM_GIT_ALLOWED_FOLDERS ?? [resolve(config.PDM_DATA_DIR, 'repositories')],
        caFile: config.PDM_GIT_CA_FILE,
        credentialsFile: config.PDM_GIT_CREDENTIALS_FILE,
      },
    },
  };
}

function isDiskFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < MIN_FREE_BYTES;
}
