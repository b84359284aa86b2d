// A worker in twenty lines: the box around the points of a STEP file, stored as its properties. Run it with PDM_URL and PDM_TOKEN (role worker).
import { readFile } from 'node:fs/promises';
import { FinalError, runWorker } from '../../worker-sdk/index.ts'; // from 'pdm-worker', outside of this repository

const { PDM_URL: baseUrl = 'http://127.0.0.1:8080', PDM_TOKEN: token = '' } = process.env;
const POINT = /CARTESIAN_POINT\s*\([^,]*,\s*\(([^()]*)\)/g;

await runWorker({
  ...{ baseUrl, token, types: ['convert'], generator: 'point-box/1.0' },
  handler: async (_job, ctx) => {
    const source = (await ctx.files()).find(({ kind }) => kind === 'source');
    if (!source) throw new FinalError('The job has no source.', { code: 'missing_file' });
    const step = await readFile(await ctx.download(source), 'latin1');
    const points = [...step.matchAll(POINT)]
      .map(([, numbers = '']) => numbers.split(',').map(Number))
      .filter(({ length }) => length === 3);
    if (!points.length)
      throw new FinalError(`${source.fileName} has no points: is it a STEP file?`, { code: 'no_geometry' });
    const edge = (pick: (...numbers: number[]) => number) =>
      [0, 1, 2].map((axis) => points.map((point) => point[axis] ?? 0).reduce((a, b) => pick(a, b)));
    ctx.log(`${points.length} points`);
    await ctx.upload(
      'properties',
      Buffer.from(JSON.stringify({ boundingBox: { min: edge(Math.min), max: edge(Math.max) } })),
    );
  },
});
