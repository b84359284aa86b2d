// A program that wants its usual place at the processor back, and then burns what it is given.
import { writeFileSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';

const attempts = {
  priority: () => setPriority(0, 0),
  group: () => writeFileSync('/proc/self/autogroup', '0', { flag: 'r+' }),
};
for (const [what, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    writeSync(1, `${what} taken\n`);
  } catch (error) {
    writeSync(1, `${what} ${error.info?.code ?? error.code}\n`);
  }
}
for (;;);
