// A worker whose handler blocks its event loop for the number of milliseconds in its source; the lines that it logs
// meanwhile must still be delivered.
import { readFile } from 'node:fs/promises';
import { runWorker } from '../../worker-sdk/index.ts';

const { PDM_URL: baseUrl = '', PDM_TOKEN: token = '' } = process.env;

await runWorker({
  baseUrl,
  token,
  types: ['convert'],
  graceSeconds: 1,
  handler: async (_job, ctx) => {
    const [source] = await ctx.files();
    if (!source) throw new Error('no source');
    const milliseconds = Number(await readFile(await ctx.download(source), 'utf8'));
    ctx.log('blocking');
    ctx.progress(10, 'blocking');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    await ctx.upload('properties', Buffer.from('{}'));
  },
});
