// A worker in twenty lines: stores the bounding box of a STEP file's points as its properties. Set PDM_URL and
// PDM_TOKEN (role worker).
import { readFile } from 'node:fs/promises';
import { runWorker, UnrecoverableError } from '../../worker-sdk/index.ts'; // outside this repository: 'pdm-worker'

const { PDM_URL: baseUrl = 'http://127.0.0.1:8080', PDM_TOKEN: token = '' } = process.env;
const POINT = /CARTESIAN_POINT\s*\([^,]*,\s*\(([^()]*)\)/g;

await runWorker({
  baseUrl,
  token,
  types: ['convert'],
  generator: 'point-box/1.0',
  handler: async (_job, ctx) => {
    const source = (await ctx.files()).find(({ kind }) => kind === 'source');
    if (!source) throw new UnrecoverableError('The job has no source file.', { code: 'missing_file' });
    const step = await readFile(await ctx.download(source), 'latin1');
    const points = [...step.matchAll(POINT)]
      .map(([, numbers = '']) => numbers.split(',').map(Number))
      .filter(({ length }) => length === 3);
    if (!points.length)
      throw new UnrecoverableError(`${source.fileName} contains no points. Is it a STEP file?`, {
        code: 'no_geometry',
      });
    const corner = (select: (...numbers: number[]) => number) =>
      [0, 1, 2].map((axis) => points.map((point) => point[axis] ?? 0).reduce((a, b) => select(a, b)));
    ctx.log(`${points.length} points`);
    const boundingBox = { min: corner(Math.min), max: corner(Math.max) };
    await ctx.upload('properties', Buffer.from(JSON.stringify({ boundingBox })));
  },
});
