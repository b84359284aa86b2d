// A typed GraphQL client: generated operation types give each call checked variables and results.
import { createHash } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';

export type Execute = <Data, Variables>(
  operation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>;
type GraphResponse = { data?: unknown; errors?: { message: string; extensions: { code: string } }[] };

/** An error of the service; docs/errors.md lists the codes. */
export type GraphError = Error & { code: string };

/**
 * Returns a function that executes operations at `service` (http://host:port, with or without /graphql or /api/v1). It
 * sends the hash of an operation, and the text only if the service does not know the hash (automatic persisted
 * queries). Throws a GraphError, also `not_found` for an unknown id, or an Error if the address is not a GraphQL service.
 */
export function createGraphClient(service: string, token: string): Execute {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const address = `${service.replace(/\/(graphql|api\/v1)?\/*$/, '')}/graphql`;
  const post = async (body: object): Promise<GraphResponse> => {
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
    const result = (await response.json().catch(() => ({}))) as GraphResponse;
    if (!result.data && !result.errors)
      throw new Error(`${address} is not a GraphQL service: status ${response.status}.`);
    return result;
  };
  return async <Data, Variables>(operation: TypedDocumentNode<Data, Variables>, variables: Variables) => {
    const query = print(operation);
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const request = { variables, extensions: { persistedQuery: { version: 1, sha256Hash } } };
    let result = await post(request);
    if (result.errors?.[0]?.extensions.code === 'PERSISTED_QUERY_NOT_FOUND') result = await post({ ...request, query });
    const [error] = result.errors ?? [];
    if (error) throw Object.assign(new Error(error.message), { code: error.extensions.code }) satisfies GraphError;
    return result.data as Data;
  };
}
