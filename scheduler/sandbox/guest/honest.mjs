// A well-behaved program, so that the proofs also show that honest code runs: what comes in on descriptor 0 goes out on descriptor 4.
import { readFileSync, writeSync } from 'node:fs';

writeSync(4, readFileSync(0));
