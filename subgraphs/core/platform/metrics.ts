import { performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';
import { version } from './version.ts';

/** Registers the metrics of every process: version, start time, memory, CPU time and event loop utilization. */
export function registerProcessMetrics(register: Registry): void {
  const registers = [register];
  new Gauge({ name: 'pdm_build_info', help: 'Running version', labelNames: ['version', 'node'], registers }).set(
    { version, node: process.version },
    1,
  );
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since the Unix epoch, in seconds',
    registers,
  }).set(performance.timeOrigin / 1000);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process in bytes',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process in seconds',
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
    help: 'Share of time since the last scrape in which the event loop was busy, 0 to 1',
    registers,
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}
