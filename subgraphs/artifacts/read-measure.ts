// Reads the measuring data of a draft or version, and measures between two faces or edges.
import { refuse } from '../core/domain/errors.ts';
import { compareEntities } from '../core/domain/measure/compare-entities.ts';
import { type Entity, entityAt } from '../core/domain/measure/entity.ts';
import type { MeasureData } from '../core/domain/measure/measure-data.ts';
import { parseMeasureData } from '../core/domain/measure/parse-measure-data.ts';
import type { Context } from '../core/graphql.ts';
import { artifactOfKind } from '../core/store/files/artifacts.ts';
import { readBlob } from '../core/store/files/blobs.ts';
import { get } from '../core/store/query/records.ts';

type Input = { versionId: string; from?: string | null; to?: string | null };

/**
 * Returns the measuring data, or the requested entities and the values between them. Throws `no_measuring_data` if
 * there is none, and `validation_failed` for an entity that does not exist.
 */
export async function readMeasure({ scope }: Pick<Context, 'scope'>, { versionId, from, to }: Input) {
  await get(scope, 'versions', versionId);
  const artifact = await artifactOfKind(scope, versionId, 'measure');
  if (!artifact)
    return refuse(
      'no_measuring_data',
      `${versionId} has no measuring data. Models that consist of triangles or have more than 30,000 faces have none; if it was converted by an older engine, upload its source again to convert it.`,
    );
  if (to && !from) requireEntity(null, '/from', 'is required with `to`');
  const data = parseMeasureData(JSON.parse(await readBlob(scope, artifact.sha256)));
  const [first, second] = [entityIn(data, from, '/from'), entityIn(data, to, '/to')];
  return {
    versionId,
    version: { id: versionId },
    stale: artifact.stale,
    chordError: data.chordError,
    parts: first ? null : data.parts,
    placements: first ? null : data.placements,
    from: first && shown(first),
    to: second && shown(second),
    values: first && second ? compareEntities(first, second) : [],
  };
}

type Found = Entity & { part: string };

function entityIn(data: MeasureData, address: string | null | undefined, path: string): Found | null {
  if (!address) return null;
  const message = `must be an entity of this model, such as 0/face/12 or 0/edge/3/center, not "${address.slice(0, 60)}"`;
  return requireEntity(entityAt(data, address), path, message);
}

function requireEntity(entity: Found | null, path: string, message: string): Found {
  return entity ?? refuse('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] });
}

const shown = ({ figure, ...entity }: Found) => ({
  ...entity,
  at: figure && [...figure.at],
  direction: figure && 'direction' in figure ? [...figure.direction] : null,
});
