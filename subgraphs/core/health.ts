import type { Services } from './work.ts';

export type Health = {
  status: 'ok' | 'unavailable';
  version: string;
  parts: Record<'api' | 'database' | 'fileStore', Part> & { checkpoints?: Part };
};

/** `late`: the service does all it promises to its clients, but the administrator should see to this. */
type Part = { status: 'ok' | 'unavailable' | 'late'; detail?: string };

const PATIENCE = 2_000;

/** How the API, its database and its file store are, each asked for at most 2 seconds. */
export async function health(services: Services, version: string): Promise<Health> {
  const { db } = services.mongo;
  const [database, fileStore] = await Promise.all([
    part(() => db.command({ ping: 1 }, { timeoutMS: PATIENCE })),
    part(() => db.collection('files.files').findOne({}, { projection: { _id: 1 }, timeoutMS: PATIENCE })),
  ]);
  const status = database.status === 'ok' && fileStore.status === 'ok' ? 'ok' : 'unavailable';
  return { status, version, parts: { api: { status: 'ok' }, database, fileStore, ...checkpoints(services) } };
}

// Why is in the log: the health is told to anybody.
function checkpoints({ sealing: { post } }: Services): { checkpoints?: Part } {
  if (!post) return {};
  const late = post.late();
  return {
    checkpoints: late
      ? { status: 'late', detail: `none has arrived outside since ${late.since.toISOString()}` }
      : { status: 'ok' },
  };
}

async function part(ask: () => Promise<unknown>): Promise<Part> {
  try {
    await Promise.race([
      ask(),
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error('no answer within 2 s')), PATIENCE).unref()),
    ]);
    return { status: 'ok' };
  } catch (error) {
    return {
      status: 'unavailable',
      detail: error instanceof Error && error.message.includes('within 2 s') ? error.message : 'does not answer',
    };
  }
}
