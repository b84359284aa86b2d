// A client of the graph with types: what is asked and what is answered, checked by the compiler, in one function on fetch.
import { createHash } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';

export type Ask = <Data, Variables>(
  operation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>;
type Answer = { data?: unknown; errors?: { message: string; extensions: { code: string } }[] };

/** A refusal of the service: `code` is one of docs/errors.md. */
export type Refusal = Error & { code: string };

/**
 * Makes the client of a service (http://host:port, also with /graphql or /api/v1 behind it) for a token. Operations go by their hash, and with their
 * text only when the service does not know it. Throws a Refusal, or an Error that says what answers there instead.
 */
export function graphClient(service: string, token: string): Ask {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const address = `${service.replace(/\/(graphql|api\/v1)?\/*$/, '')}/graphql`;
  const post = async (body: object): Promise<Answer> => {
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json().catch(() => ({}))) as Answer;
    if (!answer.data && !answer.errors)
      throw new Error(`What answers at ${address} is no GraphQL service: status ${response.status}.`);
    return answer;
  };
  return async <Data, Variables>(operation: TypedDocumentNode<Data, Variables>, variables: Variables) => {
    const query = print(operation);
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const asked = { variables, extensions: { persistedQuery: { version: 1, sha256Hash } } };
    let answer = await post(asked);
    if (answer.errors?.[0]?.extensions.code === 'PERSISTED_QUERY_NOT_FOUND') answer = await post({ ...asked, query });
    const [error] = answer.errors ?? [];
    if (error) throw Object.assign(new Error(error.message), { code: error.extensions.code }) satisfies Refusal;
    return answer.data as Data;
  };
}
