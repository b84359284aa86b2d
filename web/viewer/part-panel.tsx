// The text below the 3D view: the size of the model, or the values of the selected part.
import type { MeasureData } from '../../subgraphs/core/domain/measure/measure-data.ts';
import { urlFor } from '../shell/router.ts';
import { partValues, type UnmeshedFaces } from './part-values.ts';
import { isHidden } from './product.ts';
import { type Box, formatSize } from './space.ts';
import type { Stage } from './three/stage.ts';
import { useArtifactJson } from './use-artifact-json.ts';
import type { PartLine } from './use-part-lines.ts';
import type { ViewState } from './view-state.ts';

type PartPanelProps = {
  stage: Stage;
  state: ViewState;
  /** The line of the selected part, and whether the part is all of it rather than a node inside. */
  line: PartLine | null;
  isWholeLine: boolean;
  /** The properties of the model, which are those of the part if it is the only one. */
  propertiesId: string | null;
  unmeshed: UnmeshedFaces | null;
  measure: MeasureData | null;
  box: Box;
  selectedBox: Box | null;
  /** How many parts are highlighted because their line is selected. */
  marked: number;
};

export function PartPanel(props: PartPanelProps) {
  const { stage, state, unmeshed, box, selectedBox, marked } = props;
  const { rows } = stage;
  return (
    <div class="stage-words" role="status">
      {selectedBox && state.selected !== null ? (
        <SelectedPart key={state.selected} {...props} row={state.selected} selectedBox={selectedBox} />
      ) : (
        <>
          <b>{formatSize(box)}</b>
          <small>
            {rows[0]?.parts} {rows[0]?.parts === 1 ? 'part' : 'parts'} · {stage.triangles.toLocaleString()} triangles
            {marked > 0 && ` · ${marked} highlighted`}
          </small>
          {unmeshed && (
            <span class="mark warn" title={`Not shown, because they have no triangles: ${unmeshed.parts}`}>
              {unmeshed.count === 1 ? '1 face not shown' : `${unmeshed.count} faces not shown`}
            </span>
          )}
        </>
      )}
    </div>
  );
}

const MAX_COLORS = 4;

function SelectedPart({
  stage,
  state,
  line,
  isWholeLine,
  propertiesId,
  measure,
  row,
  selectedBox,
}: PartPanelProps & { row: number; selectedBox: Box }) {
  const own = stage.rows[row];
  const ofLine = isWholeLine ? line?.version?.properties : null;
  const ofModel = stage.rows[0]?.parts === 1 || row === 0 ? propertiesId : null;
  const properties = useArtifactJson(ofLine && !ofLine.stale ? ofLine.id : ofModel);
  const values = partValues({
    properties,
    measure,
    meshes: stage.meshesOfRow(row),
    triangles: stage.measureRow(row),
    toModel: (point) => stage.pointInModel(row, point),
  });
  const colors = stage.colorsOfRow(row);
  return (
    <>
      <b>{own?.name}</b>
      {own?.product && <span>{own.product}</span>}
      {line?.documentId && <a href={urlFor.document(line.documentId)}>{line.number}</a>}
      {isHidden(stage.rows, state.hidden, row) && <small>(hidden)</small>}
      <span>
        <small>Bounding box</small> {formatSize(selectedBox)}
      </span>
      {values.map(({ name, value, approximate }) => (
        <span key={name} title={approximate ? 'Computed from the triangles' : undefined}>
          <small>{name}</small> {approximate && '≈ '}
          {value}
        </span>
      ))}
      <span>
        <small>{colors.length === 1 ? 'Color' : 'Colors'}</small>
        {colors.slice(0, MAX_COLORS).map((color) => (
          <i key={color} class="swatch" style={{ '--swatch': color }} title={color} />
        ))}
        {colors.length === 1 ? colors[0] : colors.length > MAX_COLORS && `+${colors.length - MAX_COLORS}`}
      </span>
    </>
  );
}
