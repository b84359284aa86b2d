import type { TDF_Label, XCAFDoc_ColorTool, XCAFDoc_ShapeTool } from 'replicad-opencascadejs';
import { fail } from './job-failure.ts';
import { type Kernel, withKernelErrors } from './kernel.ts';
import { facesOf } from './product/faces.ts';
import { type Colour, linearOf, opacityOf } from './product/palette.ts';
import type { Definition, Part, Use } from './product/product.ts';
import { appendAttributes } from './step/append-attributes.ts';
import { normalizeStep } from './step/normalize-step.ts';

/**
 * Writes a product as STEP (AP214, mm, ASCII) with shared definitions, named instances, colours of parts, faces and
 * instances, materials and layers. With `time` in the header instead of the current time, a fresh kernel writes equal
 * bytes for equal input.
 */
export function writeStep(kernel: Kernel, root: Definition, time: string): Buffer {
  return withKernelErrors(kernel, 'STEP writer', () => {
    using format = new kernel.TCollection_ExtendedString('MDTV-XCAF', true);
    using document = new kernel.TDocStd_Document(format);
    kernel.XCAFDoc_DocumentTool.SetLengthUnit(document, MILLIMETRE);
    using main = document.Main();
    using tool = kernel.XCAFDoc_DocumentTool.ShapeTool(main);
    kernel.XCAFDoc_ShapeTool.SetAutoNaming(false);
    using colours = kernel.XCAFDoc_DocumentTool.ColorTool(main);
    kernel.XCAFDoc_ColorTool.SetAutoNaming(false);
    using labels = new DisposableStack();
    addProduct(kernel, { tool, colours }, root, labels);
    tool.UpdateAssemblies();
    using writer = new kernel.STEPCAFControl_Writer();
    writer.SetNameMode(true);
    // These settings take effect only after the writer is created.
    kernel.Interface_Static.SetCVal('write.step.schema', 'AP214IS');
    kernel.Interface_Static.SetCVal('write.step.unit', 'MM');
    kernel.Interface_Static.SetIVal('write.step.assembly', 1);
    using progress = new kernel.Message_ProgressRange();
    if (!writer.Perform(document, PATH, progress)) fail('write', 'the assembly cannot be written as STEP');
    const bytes = Buffer.from(kernel.FS.readFile(PATH));
    kernel.FS.unlink(PATH);
    return appendAttributes(normalizeStep(bytes, root.name, time), root);
  });
}

const PATH = '/product.step';
const MILLIMETRE = 0.001;

// Creates one label for each definition, however often it is used.
type Tools = { tool: XCAFDoc_ShapeTool; colours: XCAFDoc_ColorTool };
function addProduct(kernel: Kernel, { tool, colours }: Tools, root: Definition, disposables: DisposableStack): void {
  const labels = new Map<Definition, TDF_Label>();
  const labelOf = (definition: Definition): TDF_Label => {
    const known = labels.get(definition);
    if (known) return known;
    const label = disposables.use(definition.shape ? tool.AddShape(definition.shape, false, false) : tool.NewShape());
    labels.set(definition, label);
    for (const use of definition.uses ?? []) addUse(kernel, tool, label, labelOf(use.definition), use);
    if (definition.shape) setColours(kernel, { tool, colours }, label, definition, disposables);
    setName(kernel, label, definition.name);
    return label;
  };
  labelOf(root);
}

function addUse(
  kernel: Kernel,
  tool: XCAFDoc_ShapeTool,
  assembly: TDF_Label,
  part: TDF_Label,
  { name, transform }: Use,
): void {
  using move = new kernel.gp_Trsf();
  move.SetValues(...(transform.slice(0, 12) as Parameters<typeof move.SetValues>));
  using location = new kernel.TopLoc_Location(move);
  using component = tool.AddComponent(assembly, part, location);
  setName(kernel, component, name);
}

function setColours(
  kernel: Kernel,
  { tool, colours }: Tools,
  label: TDF_Label,
  { shape, colour, faceColours }: Part,
  disposables: DisposableStack,
): void {
  if (colour) setColour(kernel, colours, label, colour);
  if (!faceColours) return;
  let index = 0;
  for (const face of facesOf(kernel, shape)) {
    const own = faceColours[index++];
    if (own) setColour(kernel, colours, disposables.use(tool.AddSubShape(label, face)), own);
    face.delete();
  }
}

function setColour(kernel: Kernel, colours: XCAFDoc_ColorTool, label: TDF_Label, colour: Colour): void {
  // The kernel expects linear light; it writes sRGB to the file.
  using value = new kernel.Quantity_ColorRGBA(...linearOf(colour), opacityOf(colour));
  colours.SetColor(label, value, kernel.XCAFDoc_ColorType.XCAFDoc_ColorSurf);
}

function setName(kernel: Kernel, label: TDF_Label, name: string): void {
  using text = new kernel.TCollection_ExtendedString(name, true);
  using attribute = kernel.TDataStd_Name.Set(label, text);
  if (!attribute) fail('write', 'the assembly cannot be written as STEP');
}
