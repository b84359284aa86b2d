// Signed links, with which engines without a token download file contents and resolved assemblies.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, callerOf } from '../http/admission/admission.ts';
import { createRequestContext } from '../http/request-context.ts';
import { problemFromErrors } from '../http/response/problem.ts';
import { pathOf, sendJson, sendProblem } from '../http/response/send.ts';
import { sendFile } from '../http/response/send-file.ts';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import type { RoutePorts } from './mount-routes.ts';
import { serviceProblems } from './openapi/openapi-problems.ts';
import { READ_SIGNED_ASM_JSON } from './routes/assemblies.ts';

export type SignedPorts = RoutePorts & {
  admission: Admission;
  /** Verifies the signature and the expiry of a link. */
  checkLink(path: string, query: Readonly<Record<string, unknown>>): 'valid' | 'expired' | 'invalid';
  /** Returns the size of a content in bytes; null if it does not exist. */
  blobSize(sha256: string): Promise<number | null>;
};

// The actor of a request with a signed link.
const LINK_BEARER: Actor = { id: 'link', name: 'a signed link', role: 'viewer', tokenId: null, via: 'system' };

/** Mounts the routes of signed links. They throw `bad_link` if the signature is invalid or expired. */
export function mountSigned(rest: FastifyInstance, ports: SignedPorts): void {
  const own = {
    method: ['GET', 'HEAD'],
    exposeHeadRoute: false,
    config: { isPublic: true },
    preValidation: async (request: FastifyRequest, reply: FastifyReply) => {
      assertSigned(request, ports);
      await ports.admission.enter(undefined, callerOf(null, request.ip), reply.raw);
    },
  };
  rest.route({
    ...own,
    url: '/content/:sha256',
    handler: async (request, reply) => {
      const { sha256 } = request.params as { sha256: string };
      const { name } = request.query as { name: string };
      const size = await ports.blobSize(sha256);
      if (size === null) throw new DomainError('not_found', 'The content of this link no longer exists.', { sha256 });
      return sendFile(
        request,
        reply,
        { fileName: name, contentType: 'application/octet-stream', size, sha256 },
        ports.openBlob,
      );
    },
  });

  const resolved = ports.prepare(READ_SIGNED_ASM_JSON);
  rest.route({
    ...own,
    url: '/content/assemblies/:versionId',
    handler: async (request, reply) => {
      const { versionId } = request.params as { versionId: string };
      request.caller.actor = LINK_BEARER;
      const { expires } = request.query as { expires: string };
      const variables = {
        id: versionId,
        origin: `${request.protocol}://${request.host}`,
        // The links in the response expire with the link of the request.
        linksExpireAt: new Date(Number(expires) * 1000).toISOString(),
      };
      const { data, errors } = await ports.execute(resolved, variables, createRequestContext(request, reply));
      if (errors?.length)
        return sendProblem(
          reply,
          problemFromErrors(errors, { instance: pathOf(request), requestId: request.caller.requestId }),
        );
      if (!data?.resolvedAsmJson) throw new DomainError('not_found', `There is no version ${versionId}.`);
      return sendJson(request, reply, data.resolvedAsmJson);
    },
  });
}

function assertSigned(request: FastifyRequest, { checkLink }: SignedPorts): void {
  const query = request.query as Record<string, unknown>;
  const result = checkLink(pathOf(request), query);
  if (result === 'expired')
    throw new DomainError(
      'bad_link',
      'The link has expired; links are valid for one hour. Request the resolved asm.json again to get new links.',
    );
  if (result === 'invalid') throw new DomainError('bad_link', 'The signature of the link is invalid.');
}

const NAME_AND_SIGNATURE = ['name', 'expires', 'signature'].map((name) => ({
  name,
  in: 'query',
  required: true,
  schema: { type: 'string' },
}));
const SIGNED_ERRORS = [
  'bad_link',
  'not_found',
  'precondition_failed',
  'range_not_satisfiable',
  'rate_limited',
  'overloaded',
  'unavailable',
  'timeout',
  'internal',
] as const;
const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });

/** The OpenAPI description of the routes. */
export const SIGNED_OPERATIONS = {
  '/content/{sha256}': {
    get: {
      operationId: 'ReadContent',
      tags: ['Service'],
      summary: 'Download content by its hash with a signed link; no token required',
      description: 'Returns the bytes of a file. The link comes from a resolved asm.json and is valid for one hour.',
      security: [],
      parameters: [pathParameter('sha256'), ...NAME_AND_SIGNATURE],
      responses: {
        200: {
          description: 'The content. Its ETag is the hash.',
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
        ...serviceProblems(SIGNED_ERRORS, { isPublic: true }),
      },
    },
  },
  '/content/assemblies/{versionId}': {
    get: {
      operationId: 'ReadSignedAsmJson',
      tags: ['Service'],
      summary: 'Read the resolved asm.json of a version with a signed link; no token required',
      description: 'Returns the asm.json of a sub-assembly. The link comes from the resolved asm.json of the assembly.',
      security: [],
      parameters: [pathParameter('versionId'), ...NAME_AND_SIGNATURE],
      responses: {
        200: { description: 'The asm.json', content: { 'application/json': { schema: { type: 'object' } } } },
        ...serviceProblems([...SIGNED_ERRORS, 'not_converted', 'unresolved_reference', 'wrong_kind'], {
          isPublic: true,
        }),
      },
    },
  },
};
