import { type Address, addressKey, parseAddress } from './address.ts';
import { type AsmFault, type AsmJson, type AsmTemplate, identOf } from './asm-json.ts';

/** One place in an asm.json where a document is named: `path` is the JSON pointer of the reference, `quantity` how often it is placed. */
export type Occurrence = { path: string; quantity: number };

/** Everything an assembly uses under one address, in the order of its first occurrence; `line` counts from 1, `quantity` is the sum. */
export type AssemblyLine = Address & { line: number; location: string; quantity: number; occurrences: Occurrence[] };

/** References of one file; more belong into sub-assemblies. */
const MOST_REFERENCES = 20_000;
const MOST_POINTER_CHARACTERS = 4_000_000;

/** A place that holds templates and instances: the file itself, or an assembly inside a template. */
type Place = {
  asm: AsmJson;
  path: string;
  outer: Place | null;
  times: number;
  awaits: number;
  templates: Map<string, Template>;
};
type Template = { path: string; place: Place | null; reference: string | null; times: number };

/**
 * The references of a checked asm.json at every depth, with how often each is placed: through assemblies inside templates that are placed
 * several times. Answers the faults that only show here: a template that contains itself, and too many references.
 */
export function assemblyLines(asm: AsmJson): { lines: AssemblyLine[] } | { faults: AsmFault[] } {
  const places = placesOf(asm);
  const inOrder = outermostFirst(places);
  if (!inOrder) return { faults: [{ path: '', message: 'a template contains itself' }] };
  for (const place of inOrder) countInstances(place);

  const lines = new Map<string, AssemblyLine>();
  let references = 0;
  let characters = 0;
  for (const place of places) {
    for (const { reference, path, times } of place.templates.values()) {
      if (reference === null) continue;
      references++;
      characters += path.length;
      if (!Number.isSafeInteger(times)) return { faults: [{ path, message: 'is placed too often to be counted' }] };
      const address = parseAddress(reference);
      const key = addressKey(address);
      const line = lines.get(key) ?? {
        ...address,
        line: lines.size + 1,
        location: reference,
        quantity: 0,
        occurrences: [],
      };
      line.quantity += times;
      line.occurrences.push({ path: `${path}/reference`, quantity: times });
      lines.set(key, line);
    }
  }
  if (references > MOST_REFERENCES || characters > MOST_POINTER_CHARACTERS)
    return {
      faults: [
        {
          path: '/templates',
          message: `holds ${references} references, more than ${MOST_REFERENCES} or nested too deep; use sub-assemblies`,
        },
      ],
    };
  return { lines: [...lines.values()] };
}

/** Places of one file in its order: a line holds all places of its address, so that those of other addresses lie between them. */
export function inFileOrder<P extends { path: string }>(places: readonly P[]): P[] {
  const keyed = places.map((place) => ({ place, steps: place.path.split('/').map(Number) }));
  return keyed.sort((a, b) => before(a.steps, b.steps)).map(({ place }) => place);
}

// Numbers in a path are indexes; the names between them are the same at the same depth.
function before(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((step, i) => !Number.isNaN(step) && step !== b[i]);
  return differs < 0 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0);
}

function placesOf(asm: AsmJson): Place[] {
  const places: Place[] = [];
  const waiting: Place[] = [placeOf(asm, '', null)];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    places.push(place);
    // the last one put in is the first to come out: kept in the order of the file
    waiting.push(
      ...[...place.templates.values()].flatMap((template) => (template.place ? [template.place] : [])).reverse(),
    );
  }
  return places;
}

function placeOf(asm: AsmJson, path: string, outer: Place | null): Place {
  const place: Place = { asm, path, outer, times: outer ? 0 : 1, awaits: 0, templates: new Map() };
  asm.templates.forEach((template, i) => {
    place.templates.set(identOf(template, i), templateOf(template, `${path}/templates/${i}`, place));
  });
  return place;
}

function templateOf(template: AsmTemplate, path: string, within: Place): Template {
  return {
    path,
    place: template.assembly ? placeOf(template.assembly, `${path}/assembly`, within) : null,
    reference: template.reference?.location ?? null,
    times: 0,
  };
}

/** What each instance of a place places, a name searched in its own list, then outward. Without a list each template is placed once. */
function* placed({ asm, templates, outer }: Place): Iterable<Template> {
  if (!asm.instances) {
    yield* templates.values();
    return;
  }
  for (const { template } of asm.instances) {
    let found = templates.get(template);
    for (let scope = outer; !found && scope; scope = scope.outer) found = scope.templates.get(template);
    if (found) yield found;
  }
}

// Kahn's algorithm: a place comes when everything that places it has come; null when some wait for themselves.
function outermostFirst(places: readonly Place[]): Place[] | null {
  for (const place of places) for (const template of placed(place)) if (template.place) template.place.awaits++;
  const order = places.filter(({ awaits }) => awaits === 0);
  for (const place of order) {
    for (const template of placed(place))
      if (template.place && --template.place.awaits === 0) order.push(template.place);
  }
  return order.length === places.length ? order : null;
}

function countInstances(place: Place): void {
  for (const template of placed(place)) {
    template.times += place.times;
    if (template.place) template.place.times += place.times;
  }
}
