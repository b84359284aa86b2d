// Generates STEP files for the parser tests.

/** Returns a complete file with this DATA section. */
export function stepFile(data: string, schema = 'AUTOMOTIVE_DESIGN'): Buffer {
  const header = `FILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('${schema}'));`;
  return Buffer.from(
    `ISO-10303-21;\nHEADER;\n${header}\nENDSEC;\nDATA;\n${data}\nENDSEC;\nEND-ISO-10303-21;\n`,
    'latin1',
  );
}

/** Returns products p0, p1, … without shapes; `uses` are pairs of indices, [assembly, part]. */
export function productTree(products: number, uses: [number, number][]): string {
  const context =
    "#1=APPLICATION_CONTEXT('');\n#2=PRODUCT_CONTEXT('',#1,'');\n#3=PRODUCT_DEFINITION_CONTEXT('',#1,'');";
  const definition = (i: number) => {
    const id = 10 + i * 3;
    return `#${id}=PRODUCT('p${i}','p${i}','',(#2));\n#${id + 1}=PRODUCT_DEFINITION_FORMATION('','',#${id});\n#${id + 2}=PRODUCT_DEFINITION('','',#${id + 1},#3);`;
  };
  const use = ([assembly, part]: [number, number], i: number) =>
    `#${100_000 + i}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('u${i}','','',#${12 + assembly * 3},#${12 + part * 3},$);`;
  return [context, ...Array.from({ length: products }, (_, i) => definition(i)), ...uses.map(use)].join('\n');
}

/** Returns a chain of products in which each uses the next one `times` times. */
export function chain(length: number, times: number): string {
  const uses = Array.from({ length: length - 1 }, (_, i) =>
    Array.from({ length: times }, (): [number, number] => [i, i + 1]),
  ).flat();
  return productTree(length, uses);
}
