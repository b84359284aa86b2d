// STEP files written line by line, good and bad, for the tests of the reader.

/** A whole file around the given DATA section. */
export function stepFile(data: string, schema = 'AUTOMOTIVE_DESIGN'): Buffer {
  const header = `FILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('${schema}'));`;
  return Buffer.from(
    `ISO-10303-21;\nHEADER;\n${header}\nENDSEC;\nDATA;\n${data}\nENDSEC;\nEND-ISO-10303-21;\n`,
    'latin1',
  );
}

/** Products p0, p1, … without shapes, and uses of one in another: [assembly, part]. */
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

/** A chain in which each product uses the next one as often as told. */
export function chain(length: number, times: number): string {
  const uses = Array.from({ length: length - 1 }, (_, i) =>
    Array.from({ length: times }, (): [number, number] => [i, i + 1]),
  ).flat();
  return productTree(length, uses);
}
