// /administration/status: what administrators see of this API process: its version, settings and refused sign-ins.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { assertAbility } from '../../subgraphs/core/domain/access/permissions.ts';
import type { DescribedSetting } from '../../subgraphs/core/platform/config.ts';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import type { RefusedSignIns } from '../authentication/refused-sign-ins.ts';
import { mountJsonRoutes } from '../json-routes.ts';

export type AdministrationPorts = {
  authenticate(request: FastifyRequest): Promise<Actor>;
  admit(actor: Actor): Record<string, string>;
  version: string;
  storeFormat: number;
  settings: readonly DescribedSetting[];
  refusedSignIns(): RefusedSignIns[];
  log: Log;
};

/** Mounts GET /administration/status for administrators. */
export async function mountAdministrationStatus(app: FastifyInstance, ports: AdministrationPorts): Promise<void> {
  const { version, storeFormat, settings } = ports;
  const startedAt = new Date(Date.now() - process.uptime() * 1000);
  await mountJsonRoutes(app, ports.log, (scope) => {
    scope.get('/administration/status', async (request, reply) => {
      const actor = await ports.authenticate(request);
      if (actor.role !== 'system') assertAbility({ role: actor.role }, 'administer');
      reply.headers({ ...ports.admit(actor), 'cache-control': 'no-store' });
      return {
        version,
        storeFormat,
        node: process.version,
        startedAt,
        settings,
        refusedSignIns: ports.refusedSignIns(),
      };
    });
  });
}
