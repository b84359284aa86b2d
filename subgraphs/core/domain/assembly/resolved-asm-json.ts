// The resolved form of asm.json, which engines load.

import type { AsmJson } from './asm-json.ts';

/** The file that an engine loads instead of a pdm address. */
export type LoadableReference = {
  /** The URL of the file. */
  location: string;
  /** A STEP file, an OFB file, or another resolved asm.json. */
  type: 'stp' | 'ofb' | 'json';
  /** The address in the stored file. */
  address: string;
  /** The name of the document. */
  name: string;
  versionId: string;
  /** The hash of the STEP or OFB file, or of the stored asm.json of an assembly. */
  sha256: string;
};

/**
 * Returns the asm.json with each address replaced with its loadable file from `loadables`, which are by the JSON
 * pointer of the reference. Keeps unknown fields.
 */
export function resolveAsmJson(asm: AsmJson, loadables: ReadonlyMap<string, LoadableReference>): AsmJson {
  return withLocations(asm, '', loadables);
}

/** Returns the name of the template with the reference at a JSON pointer, for messages. */
export function templateName(asm: AsmJson, pointer: string): string {
  const indexes = [...pointer.matchAll(/\/templates\/(\d+)/g)].map(([, index]) => Number(index));
  let assembly: AsmJson | undefined = asm;
  let name = pointer;
  for (const index of indexes) {
    const template: AsmJson['templates'][number] | undefined = assembly?.templates[index];
    name = template?.ident ?? String(index);
    assembly = template?.assembly;
  }
  return name;
}

// Recursive: the depth of asm.json is limited loadables upload.
function withLocations(asm: AsmJson, path: string, loadables: ReadonlyMap<string, LoadableReference>): AsmJson {
  const templates = asm.templates.map((template, i) => {
    const here = `${path}/templates/${i}`;
    if (template.assembly)
      return { ...template, assembly: withLocations(template.assembly, `${here}/assembly`, loadables) };
    const loadable = template.reference && loadables.get(`${here}/reference`);
    return template.reference && loadable
      ? { ...template, reference: { ...template.reference, ...loadable } }
      : template;
  });
  return { ...asm, templates };
}
