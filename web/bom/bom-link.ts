// Connects the rows of a bill of materials with the lines that place the parts of the model.
import type { BomMode } from '../generated/operations.ts';

/** A line of the indented bill of materials, as the 3D view knows it. */
export type LineInModel = {
  path: string;
  documentId: string | null;
  resolution: { versionId: string } | null;
};
type Row = LineInModel;

/** Returns whether a row represents a line: the line itself, or in the mode flat all lines of the same version. */
export const isLineInRow = (line: LineInModel, row: Row, mode: BomMode): boolean =>
  mode === 'flat'
    ? line.resolution !== null && line.resolution.versionId === row.resolution?.versionId
    : line.path === row.path;

/** Returns the row that represents a line; in the mode top that of the first level. */
export function rowOfLine<Any extends Row>(rows: readonly Any[], line: LineInModel, mode: BomMode): Any | undefined {
  const [first = ''] = line.path.split('.');
  const sought = mode === 'top' ? { ...line, path: first } : line;
  return rows.find((row) => isLineInRow(sought, row, mode));
}
