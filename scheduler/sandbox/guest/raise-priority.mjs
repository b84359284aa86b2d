// Tries to raise its own priority, reports the errors, and then uses the CPU until it is killed.
import { writeFileSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';

const attempts = {
  priority: () => setPriority(0, 0),
  autogroup: () => writeFileSync('/proc/self/autogroup', '0', { flag: 'r+' }),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    writeSync(1, `${name} raised\n`);
  } catch (error) {
    writeSync(1, `${name} ${error.info?.code ?? error.code}\n`);
  }
}
for (;;);
