import type { AsmJson } from './asm-json.ts';

/** What the engine loads in the place of a pdm address. */
export type LoadableReference = {
  /** Where it is loaded from. */
  location: string;
  /** A STEP file, an OFB file, or another asm.json in this form. */
  type: 'stp' | 'ofb' | 'json';
  /** The address as it stands in the stored file. */
  address: string;
  /** The name of the document. */
  name: string;
  versionId: string;
  /** Of the STEP or OFB file; of an assembly that of its stored asm.json. */
  sha256: string;
};

/**
 * The resolved form of an asm.json: the same file, each reference with the address replaced by what can be loaded. `at` holds what stands at
 * the JSON pointer of each reference; fields the service does not know stay.
 */
export function resolvedAsmJson(asm: AsmJson, at: ReadonlyMap<string, LoadableReference>): AsmJson {
  return withLocations(asm, '', at);
}

/** The name of the template whose reference a JSON pointer points at, for messages. */
export function templateAt(asm: AsmJson, pointer: string): string {
  const indexes = [...pointer.matchAll(/\/templates\/(\d+)/g)].map(([, index]) => Number(index));
  let within: AsmJson | undefined = asm;
  let name = pointer;
  for (const index of indexes) {
    const template: AsmJson['templates'][number] | undefined = within?.templates[index];
    name = template?.ident ?? String(index);
    within = template?.assembly;
  }
  return name;
}

// the depth of asm.json is limited when it is stored
function withLocations(asm: AsmJson, path: string, at: ReadonlyMap<string, LoadableReference>): AsmJson {
  const templates = asm.templates.map((template, i) => {
    const here = `${path}/templates/${i}`;
    if (template.assembly) return { ...template, assembly: withLocations(template.assembly, `${here}/assembly`, at) };
    const loadable = template.reference && at.get(`${here}/reference`);
    return template.reference && loadable
      ? { ...template, reference: { ...template.reference, ...loadable } }
      : template;
  });
  return { ...asm, templates };
}
