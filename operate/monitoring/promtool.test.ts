// Checks configuration, alert rules (with their tests) and metrics with promtool. Skipped if promtool is not installed
// (apt-get install prometheus).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Fastify from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { afterAll, describe, expect, test } from 'vitest';
import { createServerMetrics } from '../../http/metrics/metrics.ts';
import { fakeEngine } from '../../scheduler/engines/fake-engine.ts';
import { createSchedulerMetrics } from '../../scheduler/metrics.ts';
import { needs } from '../../test/support/needs.ts';
import { labelNamesOf } from './label-names.ts';

const here = (name: string) => join(import.meta.dirname, name);
const promtool = (args: string[], input?: string) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
};
const expectSuccess = (...args: string[]) => {
  const { status, output } = promtool(args);
  expect(status, output).toBe(0);
};
const program = needs('prometheus', promtool(['--version']).status === 0);
const app = Fastify();
afterAll(() => app.close());

describe.skipIf(program.isMissing)(program.title('promtool'), () => {
  test('accepts the configuration and the alert rules', () => {
    expectSuccess('check', 'config', '--syntax-only', here('prometheus.yml'));
    expectSuccess('check', 'rules', '--lint=all', '--lint-fatal', here('alerts.yml'));
  });

  test('passes the alert rule tests', () => {
    expectSuccess('test', 'rules', here('alerts.test.yml'));
  }, 120_000);

  test.each([
    ['an API server', () => createServerMetrics(app, STORE)],
    ['the scheduler', () => createSchedulerMetrics(fakeEngine(), () => 'poll').register],
  ])('accepts the metrics of %s', async (_, create) => {
    const register = create();
    for (const metric of register.getMetricsAsArray()) addSample(register, metric.name);
    expect(promtool(['check', 'metrics'], await register.metrics())).toEqual({ status: 0, output: '' });
  });
});

const STORE = {
  health: async () => ({ parts: { database: { status: 'ok' } } }),
  waiting: async () => [{ type: 'convert', environment: '', count: 1, oldest: new Date() }],
  backups: () => null,
};

// promtool ignores metrics without samples.
function addSample(register: Registry, name: string): void {
  const metric = register.getSingleMetric(name);
  const labels = Object.fromEntries(labelNamesOf(metric).map((label) => [label, 'x']));
  if (metric instanceof Counter) metric.inc(labels, 1);
  else if (metric instanceof Histogram) metric.observe(labels, 1);
  else if (metric instanceof Gauge) metric.set(labels, 1);
}
