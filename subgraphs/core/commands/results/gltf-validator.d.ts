declare module 'gltf-validator' {
  /** `severity` 0 is an error; `pointer` is the JSON pointer of its object, if it belongs to one. */
  type Message = { code: string; message: string; severity: number; pointer?: string };
  type Report = { issues: { numErrors: number; numWarnings: number; messages: Message[] } };
  type Options = { format?: 'glb'; maxIssues?: number; writeTimestamp?: boolean; ignoredIssues?: string[] };
  export function validateBytes(bytes: Uint8Array, options?: Options): Promise<Report>;
  export function validateString(json: string, options?: Options): Promise<Report>;
}
