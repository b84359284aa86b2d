import { performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';
import { version } from './version.ts';

/** What every process of the service tells of itself: version, memory, processor time, and how busy its event loop was since the last look. */
export function processMetrics(register: Registry): void {
  const registers = [register];
  new Gauge({ name: 'pdm_build_info', help: 'The version that runs', labelNames: ['version', 'node'], registers }).set(
    { version, node: process.version },
    1,
  );
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970',
    registers,
  }).set(performance.timeOrigin / 1000);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1_000_000);
    },
  });
  let last = performance.eventLoopUtilization();
  new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Part of the time since the last scrape in which the event loop was busy, 0 to 1',
    registers,
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}
