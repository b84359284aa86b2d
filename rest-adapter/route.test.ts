import { expect, test } from 'vitest';
import { ReadDocumentDocument, UpdateDocumentDocument } from './generated/operations.ts';
import { route } from './route.ts';

test('a variable without a place is a compile error that names it', () => {
  // @ts-expect-error `description` has no place
  route('PATCH /documents/:id', 'Change', UpdateDocumentDocument, 'updateDocument', { id: 'path', name: 'body.*' });
});

test('a data path that the operation does not answer is a compile error', () => {
  // @ts-expect-error the operation answers `document`
  route('GET /documents/:id', 'Read', ReadDocumentDocument, 'documents', { id: 'path' });
});

test('a path whose parameters are not those of the variables stops the start', () => {
  expect(() => route('GET /documents/:document', 'Read', ReadDocumentDocument, 'document', { id: 'path' })).toThrow(
    'differ',
  );
});
