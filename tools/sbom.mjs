// npm run -s sbom: prints the CycloneDX bill of materials of the service, without the packages of development.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// `npm sbom --omit dev` also drops packages that both the service and the development need, so this filters all of them.
const options = { encoding: 'utf8', maxBuffer: 64 * 2 ** 20, stdio: ['ignore', 'pipe', 'inherit'] };
const bom = JSON.parse(execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], options));

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const kept = new Set([bom.metadata.component['bom-ref']]);
for (const [path, { name = path.replace(/^.*node_modules\//, ''), version, dev }] of Object.entries(packages))
  if (!dev) kept.add(`${name}@${version}`);
bom.components = bom.components.filter((component) => kept.has(component['bom-ref']));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((dependency) => kept.has(dependency)) }));
bom.metadata.component.name = 'pdm';

process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
