/** What the main job does in a service: a released part with its file, in an assembly with a bill of materials. */
export type MainJob = (service: { baseUrl: string; token: string }, step: Uint8Array<ArrayBuffer>) => Promise<Outcome>;

export type Outcome = {
  label: string;
  rows: { number: string | null; quantity: number }[];
  partNumber: string;
  downloaded: Uint8Array;
};

/** Returns an asm.json that contains a document twice. */
export function asmJson(number: string): string {
  return JSON.stringify({
    templates: [{ ident: 'part', reference: { location: `pdm://documents/${number}` } }],
    instances: [
      { ident: 'left', template: 'part' },
      { ident: 'right', template: 'part' },
    ],
  });
}
