/**
 * Removes the placements of parts from a STEP file: each part becomes a product beside the others, in its own
 * coordinates. Shapes and styles are not changed.
 */
export function takeApart(stp: Buffer): Buffer {
  const text = stp.toString('latin1');
  const uses = new Set([...text.matchAll(STATEMENT)].flatMap(([, id, body]) => (USE.test(body!) ? [id] : [])));
  const isPlacement = (body: string) => PLACEMENT.test(body) || uses.has(SHAPE_OF.exec(body)?.[1]);
  const apart = text.replace(STATEMENT, (statement, _id, body: string) => (isPlacement(body) ? '' : statement));
  return Buffer.from(apart, 'latin1');
}

const STATEMENT = /#(\d+)\s*=((?:'(?:[^']|'')*'|[^';])*);/g;
const USE = /^\s*NEXT_ASSEMBLY_USAGE_OCCURRENCE\b/;
const PLACEMENT =
  /^\s*(?:NEXT_ASSEMBLY_USAGE_OCCURRENCE|CONTEXT_DEPENDENT_SHAPE_REPRESENTATION)\b|\bREPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION\b/;
const SHAPE_OF = /^\s*PRODUCT_DEFINITION_SHAPE\b.*#(\d+)\s*\)\s*$/s;
