/** The labels that a metric of prom-client was made with; the library keeps them, but its types do not say so. */
export function labelNamesOf(metric: object | undefined): readonly string[] {
  return metric && 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
}
