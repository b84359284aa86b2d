// Copies descriptor 0 to descriptor 4. The tests use it to show that a well-behaved program runs.
import { readFileSync, writeSync } from 'node:fs';

writeSync(4, readFileSync(0));
