// Checks that the dashboard and the alert rules use only exported metrics and labels, and that all metrics are documented.
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import type { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createServerMetrics } from '../../http/metrics/metrics.ts';
import { fakeEngine } from '../../scheduler/engines/fake-engine.ts';
import { createSchedulerMetrics } from '../../scheduler/metrics.ts';
import { labelNamesOf } from './label-names.ts';

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const app = Fastify();
afterAll(() => app.close());
const store = { health: async () => ({ parts: {} }), waiting: async () => [], backups: () => null };
const metrics = [createServerMetrics(app, store), createSchedulerMetrics(fakeEngine(), () => 'poll').register].flatMap(
  metricsIn,
);
const labelsOf = new Map(metrics.map(({ name, labelNames }) => [name, labelNames]));

function metricsIn(register: Registry): { name: string; labelNames: readonly string[] }[] {
  return register.getMetricsAsArray().map((metric) => ({ name: metric.name, labelNames: labelNamesOf(metric) }));
}

type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] };
type Alert = { alert: string; expr: string; annotations: { summary: string } };
const dashboard = JSON.parse(file('./grafana.json')) as {
  panels: Panel[];
  annotations: { list: { target: { expr: string } }[] };
};
const targets = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ where: title, expr, text: legendFormat })),
);
const annotations = dashboard.annotations.list.map(({ target: { expr } }) => ({
  where: 'annotations',
  expr,
  text: '',
}));
const alerts = (parse(file('./alerts.yml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules);
const rules = alerts.map(({ alert, expr, annotations: { summary } }) => ({ where: alert, expr, text: summary }));
const document = file('../../docs/monitoring.md');

const METRIC = /\b(?:pdm|process|nodejs)_[a-z_]+/g;
const baseName = (name: string) => name.replace(/_(bucket|sum|count)$/, '');

test.each([...targets, ...annotations, ...rules])(
  '$where uses exported metrics and labels: $expr',
  ({ expr, text }) => {
    const names = [...expr.matchAll(METRIC)].map(([name]) => (labelsOf.has(name) ? name : baseName(name)));
    for (const name of names) expect([...labelsOf.keys()]).toContain(name);
    const known = [
      'job',
      'instance',
      'le',
      'alertname',
      'alertstate',
      ...names.flatMap((name) => labelsOf.get(name) ?? []),
    ];
    const selected = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, selector = '']) =>
      [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label),
    );
    const grouped = [...expr.matchAll(/\b(?:by|on|without|ignoring) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(',').map((label) => label.trim()),
    );
    const inText = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label]) => label);
    for (const label of [...selected, ...grouped.filter(Boolean), ...inText]) expect(known).toContain(label);
    expect(expr.split('(').length).toBe(expr.split(')').length);
  },
);

test('docs/monitoring.md lists exactly the exported metrics with their labels', () => {
  const rows = [...document.matchAll(/^\| (`(?:pdm|process)_[^|]+)\|([^|]*)\|[^|]+\|$/gm)];
  const documented = rows.flatMap(([, names = '', labels = '']) =>
    [...names.matchAll(METRIC)].map(([name], i) => [name, labelsAt(labels, i)]),
  );
  const exported = [...labelsOf].map(([name, labels]) => [name, [...labels].filter((label) => label !== 'le')]);
  expect(documented.sort()).toEqual(exported.sort());
});

test('docs/monitoring.md lists exactly the alerts', () => {
  const documented = [...document.matchAll(/^\| `(Pdm\w+)` \|/gm)].map(([, name]) => name);
  expect(documented).toEqual(alerts.map(({ alert }) => alert));
});

// "a, b" applies to all metrics of a row; "a; b" is one list per metric.
function labelsAt(labels: string, index: number): string[] {
  const lists = labels.split(';').map((list) =>
    list
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean),
  );
  return lists[index] ?? lists[0] ?? [];
}
