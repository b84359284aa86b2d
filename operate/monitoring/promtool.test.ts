// Prometheus' own checker reads what it will be given: the configuration, the rules (and whether they fire when they should), and the metrics.
// Without promtool (apt-get install prometheus) nothing here is run, and vitest says so.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Fastify from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { afterAll, describe, expect, test } from 'vitest';
import { serverMetrics } from '../../http/metrics/metrics.ts';
import { fakeEngine } from '../../scheduler/engines/fake-engine.ts';
import { createSchedulerMetrics } from '../../scheduler/metrics.ts';
import { labelNamesOf } from './label-names.ts';

const here = (name: string) => join(import.meta.dirname, name);
const promtool = (args: string[], input?: string) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
};
const good = (...args: string[]) => {
  const { status, said } = promtool(args);
  expect(status, said).toBe(0);
};
const installed = promtool(['--version']).status === 0;
const app = Fastify();
afterAll(() => app.close());

if (!installed)
  console.warn('NOT RUN: rules and metrics read by promtool, because it is not installed (apt-get install prometheus)');

describe.skipIf(!installed)('promtool', () => {
  test('takes the configuration and the rules', () => {
    good('check', 'config', '--syntax-only', here('prometheus.yml'));
    good('check', 'rules', '--lint=all', '--lint-fatal', here('alerts.yml'));
  });

  test('finds that every alert fires when it should, says what it should, and is silent otherwise', () => {
    good('test', 'rules', here('alerts.test.yml'));
  }, 120_000);

  test.each([
    ['a server of the service', () => serverMetrics(app, STORE)],
    ['the scheduler', () => createSchedulerMetrics(fakeEngine(), () => 'poll').register],
  ])('has nothing to say against the metrics of %s', async (_of, made) => {
    const register = made();
    for (const metric of register.getMetricsAsArray()) withOneSample(register, metric.name);
    expect(promtool(['check', 'metrics'], await register.metrics())).toEqual({ status: 0, said: '' });
  });
});

const STORE = {
  health: async () => ({ parts: { database: { status: 'ok' } } }),
  waiting: async () => [{ type: 'convert', environment: '', count: 1, oldest: new Date() }],
};

// A metric that has counted nothing yet is a name without a type to promtool, and would not be looked at.
function withOneSample(register: Registry, name: string): void {
  const metric = register.getSingleMetric(name);
  const labels = Object.fromEntries(labelNamesOf(metric).map((label) => [label, 'x']));
  if (metric instanceof Counter) metric.inc(labels, 1);
  else if (metric instanceof Histogram) metric.observe(labels, 1);
  else if (metric instanceof Gauge) metric.set(labels, 1);
}
