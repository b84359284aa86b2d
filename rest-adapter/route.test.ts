import { expect, test } from 'vitest';
import { ReadDocumentDocument, UpdateDocumentDocument } from './generated/operations.ts';
import { route } from './route.ts';

test('reports a variable without a source as a compile error that names it', () => {
  route('PATCH /documents/:id', {
    summary: 'Change',
    operation: UpdateDocumentDocument,
    pick: 'updateDocument',
    // @ts-expect-error `description` has no source
    variables: { id: 'path', name: 'body.*' },
  });
});

test('reports a data path that the operation does not return as a compile error', () => {
  route('GET /documents/:id', {
    summary: 'Read',
    operation: ReadDocumentDocument,
    // @ts-expect-error the operation returns `document`
    pick: 'documents',
    variables: { id: 'path' },
  });
});

test('throws when the path parameters and the variables from the path differ', () => {
  expect(() =>
    route('GET /documents/:document', {
      summary: 'Read',
      operation: ReadDocumentDocument,
      pick: 'document',
      variables: { id: 'path' },
    }),
  ).toThrow('differ');
});
