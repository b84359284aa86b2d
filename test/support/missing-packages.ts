// Prints the Debian packages that contain the programs that tests need and that are not installed.
import { type Need, needs, PACKAGES } from './needs.ts';

const missing = Object.entries(PACKAGES).filter(([program]) => needs(program as Need).isMissing);
console.log(missing.map(([, packages]) => packages).join(' '));
