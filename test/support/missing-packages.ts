// Prints the Debian packages that contain the programs that tests need and that are not installed.
import { setup } from './nats-setup.ts';
import { type Need, needs, PACKAGES } from './needs.ts';

setup();
const missing = Object.entries(PACKAGES).filter(([program]) => needs(program as Need).isMissing);
console.log(missing.map(([, packages]) => packages).join(' '));
