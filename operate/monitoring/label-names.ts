/** Returns the label names of a prom-client metric, a property that its types do not declare. */
export function labelNamesOf(metric: object | undefined): readonly string[] {
  return metric && 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
}
