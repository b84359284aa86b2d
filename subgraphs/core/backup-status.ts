// The state of the scheduled backups, as administrators and metrics see it.

/** A complete backup. `newBytes`: how much of it no earlier backup contained. */
export type BackupSummary = {
  name: string;
  createdAt: Date;
  documents: number;
  bytes: number;
  newBytes: number;
};

export type BackupStatus = {
  /** PDM_BACKUP_DIR. */
  folder: string;
  everySeconds: number;
  running: boolean;
  /** The number of complete backups in the folder. */
  count: number;
  lastBackup: BackupSummary | null;
  nextAt: Date;
  /** The latest attempt, if it failed. */
  failure: { at: Date; message: string } | null;
};
