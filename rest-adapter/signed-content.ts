// What an engine without a token loads: contents by hash, and resolved forms of assemblies. The signature in the link is the permission.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextOf } from '../http/caller.ts';
import { problemOf } from '../http/response/problem.ts';
import { pathOf, sendJson, sendProblem } from '../http/response/send.ts';
import { sendFile } from '../http/response/send-file.ts';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import { ReadResolvedAsmJsonDocument } from './generated/operations.ts';
import type { RoutePorts } from './mount-routes.ts';

export type SignedPorts = RoutePorts & {
  /** Whether this service made a link with this path and query, and whether it is still good. */
  checkLink(path: string, query: Readonly<Record<string, unknown>>): 'valid' | 'expired' | 'invalid';
  /** The bytes of a content; null when it is not there. */
  blobSize(sha256: string): Promise<number | null>;
};

// A link reads what somebody who may read was given it for, and nothing else.
const BEARER: Actor = { id: 'link', name: 'a signed link', role: 'viewer', tokenId: null, via: 'system' };

/** Mounts the routes of signed links. Refuses with `bad_link` what this service did not sign, and what it signed too long ago. */
export function mountSigned(rest: FastifyInstance, ports: SignedPorts): void {
  const own = { method: ['GET', 'HEAD'], exposeHeadRoute: false, config: { open: true } };
  rest.route({
    ...own,
    url: '/content/:sha256',
    handler: async (request, reply) => {
      const { sha256 } = request.params as { sha256: string };
      const { name } = signedQuery(request, ports);
      const size = await ports.blobSize(sha256);
      if (size === null) throw new DomainError('not_found', 'The content of this link is no longer here.', { sha256 });
      return sendFile(
        request,
        reply,
        { fileName: name, contentType: 'application/octet-stream', size, sha256 },
        ports.openBlob,
      );
    },
  });

  const resolved = ports.prepare(ReadResolvedAsmJsonDocument);
  rest.route({
    ...own,
    url: '/content/assemblies/:versionId',
    handler: async (request, reply) => {
      const { versionId } = request.params as { versionId: string };
      signedQuery(request, ports);
      request.caller.actor = BEARER;
      const variables = { id: versionId, origin: `${request.protocol}://${request.host}` };
      const { data, errors } = await ports.execute(resolved, variables, contextOf(request, reply));
      if (errors?.length)
        return sendProblem(
          reply,
          problemOf(errors, { instance: pathOf(request), requestId: request.caller.requestId }),
        );
      if (!data?.resolvedAsmJson) throw new DomainError('not_found', `There is no version ${versionId}.`);
      return sendJson(request, reply, data.resolvedAsmJson);
    },
  });
}

function signedQuery(request: FastifyRequest, { checkLink }: SignedPorts): { name: string } {
  const query = request.query as Record<string, unknown>;
  const found = checkLink(pathOf(request), query);
  if (found === 'expired')
    throw new DomainError(
      'bad_link',
      'The hour of this link is over. Ask for the resolved asm.json again: it holds fresh ones.',
    );
  if (found === 'invalid')
    throw new DomainError('bad_link', 'This link was not made by this service, or it has been changed.');
  return { name: String(query.name) };
}

const NAME_AND_SIGNATURE = ['name', 'expires', 'signature'].map((name) => ({
  name,
  in: 'query',
  required: true,
  schema: { type: 'string' },
}));
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const ANY_PROBLEM = { $ref: '#/components/responses/Problem' };

/** The same routes for the description of the interface. */
export const SIGNED_OPERATIONS = {
  '/content/{sha256}': {
    get: {
      operationId: 'ReadContent',
      tags: ['Service'],
      summary: 'A content by its hash, by a signed link: answers without a token',
      security: [],
      parameters: [inPath('sha256'), ...NAME_AND_SIGNATURE],
      responses: {
        200: { description: 'The content; its ETag is the hash', content: { 'application/octet-stream': {} } },
        default: ANY_PROBLEM,
      },
    },
  },
  '/content/assemblies/{versionId}': {
    get: {
      operationId: 'ReadSignedAsmJson',
      tags: ['Service'],
      summary: 'The resolved asm.json of a version, by a signed link: answers without a token',
      security: [],
      parameters: [inPath('versionId'), ...NAME_AND_SIGNATURE],
      responses: {
        200: { description: 'The asm.json', content: { 'application/json': { schema: { type: 'object' } } } },
        default: ANY_PROBLEM,
      },
    },
  },
};
