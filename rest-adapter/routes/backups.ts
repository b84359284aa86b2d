import { operation } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';

export const BACKUP_ROUTES: readonly Route[] = [
  route('GET /backup-status', {
    summary: 'Read the state of the scheduled backups (administrators only)',
    operation: operation(`
      query ReadBackupStatus {
        backupStatus {
          scheduled
          folder
          everySeconds
          running
          count
          lastBackup {
            name
            createdAt
            documents
            bytes
            newBytes
          }
          nextAt
          failure {
            at
            message
          }
        }
      }
    `),
    pick: 'backupStatus',
    errors: ['admin_only'],
    variables: {},
  }),
];
