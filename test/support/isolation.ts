import type { Isolation } from '../../scheduler/sandbox/program.ts';

/**
 * The isolation in which the sandbox tests run: that of this machine, or with PDM_TEST_SANDBOX_ENGINE (podman, docker,
 * or a path) containers of that engine, from PDM_TEST_SANDBOX_IMAGE.
 */
export function testIsolation(): Isolation {
  const { PDM_TEST_SANDBOX_ENGINE: engine, PDM_TEST_SANDBOX_IMAGE: image = 'docker.io/library/node:24-bookworm-slim' } =
    process.env;
  return engine ? { mode: 'container', engine, image } : { mode: 'strict' };
}
