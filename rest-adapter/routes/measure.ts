import { operation } from '../generated/operations.ts';
import { type Route, route } from '../route.ts';

export const MEASURE_ROUTES: readonly Route[] = [
  route('GET /versions/:id/measure', {
    summary: 'Read the exact faces and edges of a model, or the distances and angles between two of them',
    operation: operation(`
      query ReadMeasure($id: ID!, $from: String, $to: String) {
        measure(versionId: $id, from: $from, to: $to) {
          versionId
          stale
          chordError
          parts
          placements
          from {
            ...MeasuredEntity
          }
          to {
            ...MeasuredEntity
          }
          values {
            ...MeasuredValue
          }
        }
      }
    `),
    pick: 'measure',
    errors: ['no_measuring_data'],
    variables: { id: 'path', from: 'query', to: 'query' },
  }),
];
