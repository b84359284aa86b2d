import { expect, test } from 'vitest';
import { externalReferences } from './external-references.ts';
import { parseStep } from './parse-step.ts';
import { productTree, stepFile } from './test-files.ts';

const references = (data: string) => externalReferences(parseStep(stepFile(data)));

test('finds the file of a product that is equivalent to the product of the file', () => {
  const data = `${productTree(3, [[0, 1]])}
    #500=DOCUMENT_FILE('one.stp','',$,$,'',$);
    #501=PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS('','',#17,#3,(#500));
    #502=DOCUMENT('two','',$,$);
    #503=DOCUMENT_PRODUCT_EQUIVALENCE('','',#502,#17);
    #504=APPLIED_DOCUMENT_REFERENCE(#502,'',(#15));`;
  const { files, ofProduct } = references(data);
  expect(files).toEqual(['one.stp']);
  expect(ofProduct.get(15)).toEqual(['one.stp']);
});

test('reads many references in a time that grows with their number', { timeout: 10_000 }, () => {
  const count = 20_000;
  const documents = Array.from({ length: count }, (_, i) => {
    const id = 1_000_000 + 3 * i;
    return `#${id}=DOCUMENT_FILE('${i}','',$,$,'',$);
      #${id + 1}=APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT('${i}.stp',#3,#3,(#${id}));
      #${id + 2}=APPLIED_DOCUMENT_REFERENCE(#${id},'',(#${12 + 3 * i}));`;
  });
  const { files, ofProduct } = references(`${productTree(count, [])}${documents.join('\n')}`);
  expect(files).toHaveLength(count);
  expect(ofProduct.get(12 + 3 * 777)).toEqual(['777.stp', '777']);
});
