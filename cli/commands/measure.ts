import type { ReadMeasureQuery } from '../../rest-adapter/generated/operations.ts';
import { createApi, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { type DraftOptions, resolveVersionId } from '../document-reference.ts';
import { CliError, EXIT } from '../exit.ts';
import { createStyler, formatTable, sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = DraftOptions & { from?: string; to?: string; json?: true };
type Measure = ReadMeasureQuery['measure'];
type Value = Measure['values'][number];
type Face = { kind: string; accuracy: string; inner?: true; radius?: number; residual?: number; area: number };
type Part = { name: string; faces: Face[] };

/** `pdm measure`: prints the faces of a model, or the distances and angles between two faces or edges. */
export const measure: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'number or id, optionally with @v3 or @B (default: newest release, else newest version)')
      .option('--from <entity>', 'face or edge to measure, e.g. 0/face/12 or 0/edge/3/center')
      .option('--to <entity>', 'face or edge to measure to')
      .option('--draft', 'use the draft of the main workspace')
      .option('--workspace <name>', 'use the draft of this workspace'),
  async run(terminal, { from, to, draft, workspace, json }: Options, documentArg: string) {
    if (to && !from) throw new CliError('--to requires --from.', EXIT.usage);
    const api = createApi(terminal);
    const id = await resolveVersionId(api, documentArg, { draft, workspace });
    const data = await api.get<Measure>(`/versions/${pathSegment(id)}/measure`, { from, to });
    const style = createStyler(terminal.out, terminal.environment);
    if (json) writeJson(terminal, data);
    else for (const line of from ? formatValues(data, style) : formatFaces(data, style)) writeLine(terminal.out, line);
    return EXIT.success;
  },
};

type Styler = ReturnType<typeof createStyler>;

function formatValues({ from, to, values }: Measure, style: Styler): string[] {
  const rows = [from, to].flatMap((entity) =>
    entity ? entity.values.map((value) => [`${sanitize(entity.part)} ${nameOf(entity)}`, ...formatValue(value)]) : [],
  );
  const between = values.map((value) => ['between both', ...formatValue(value)]);
  return formatTable(['Of', 'Quantity', 'Value', 'Accuracy'], [...rows, ...between], style);
}

function formatValue({ quantity, value, unit, accuracy, error }: Value): string[] {
  const range = error ? ` ± ${Number(error.toPrecision(2))} ${unit}` : '';
  return [quantity, `${numberText(value)} ${unit}`, `${accuracy}${range}`];
}

function formatFaces({ parts, placements }: Measure, style: Styler): string[] {
  const placed = placements as readonly { part: number }[];
  const rows = (parts as readonly Part[]).flatMap(({ name, faces }, part) => {
    const placement = placed.findIndex((each) => each.part === part);
    return faces.map((face, index) => [
      `${placement}/face/${index}`,
      sanitize(name),
      nameOf(face),
      face.radius === undefined ? null : numberText(2 * face.radius),
      numberText(face.area),
      face.residual ? `${face.accuracy} ± ${Number(face.residual.toPrecision(2))} mm` : face.accuracy,
    ]);
  });
  return formatTable(['Entity', 'Part', 'Kind', 'Diameter', 'Area', 'Accuracy'], rows, style);
}

const nameOf = ({ kind, inner }: { kind: string; inner?: boolean }): string =>
  inner ? (kind === 'cylinder' ? 'hole' : `inner ${kind}`) : kind;

const numberText = (value: number): string => String(Number(value.toFixed(6)));
