// Files for the browser tests.
import type { Locator } from 'playwright-core';

/** Drags a file from the desktop over an element and drops it. */
export async function dropFile(where: Locator, name: string, content: string): Promise<void> {
  const dataTransfer = await where.page().evaluateHandle(
    `(() => {
      const all = new DataTransfer();
      all.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
      return all;
    })()`,
  );
  for (const type of ['dragenter', 'dragover', 'drop']) await where.dispatchEvent(type, { dataTransfer });
}

/** Returns a STEP file with the usages of an assembly: the ids of an assembly and of a component. */
export const stepAssembly = (...usages: readonly (readonly [parent: number, child: number])[]): string =>
  `ISO-10303-21;${usages
    .map(([parent, child], id) => `#${id}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('${id}','','',#${parent},#${child},$);`)
    .join('')}`;
