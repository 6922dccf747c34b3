import { randomUUID } from 'node:crypto';
import type { InstalledPackage } from './installed-packages.js';

/** The subject of the SBOM. */
export interface Subject {
  readonly name: string;
  readonly version: string;
  /** The folders of the packages that it starts or serves. */
  readonly parts: ReadonlySet<string>;
  readonly createdAt: Date;
}

/**
 * A software bill of materials in CycloneDX 1.6 (ECMA-424), as a value for JSON.
 * @param integrityOf the integrity of a package from the registry as in the lock file (`sha512-` and base64); undefined for our own
 */
export function createSbom(
  packages: readonly InstalledPackage[],
  { name, version, parts, createdAt }: Subject,
  integrityOf: (name: string, version: string) => string | undefined,
) {
  const refs = new Map(packages.map((entry) => [entry.folder, purlOf(entry)]));
  const refOf = (folder: string): string => refs.get(folder) ?? '';
  const root = `pkg:generic/${name}@${version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: createdAt.toISOString(),
      tools: { components: [{ type: 'application', name: 'gatehouse-sbom' }] },
      component: { type: 'application', 'bom-ref': root, name, version },
    },
    components: packages.map((entry) => ({
      type: parts.has(entry.folder) ? 'application' : 'library',
      'bom-ref': refOf(entry.folder),
      ...splitName(entry.name),
      version: entry.version,
      ...licensesOf(entry.license),
      purl: refOf(entry.folder),
      ...hashesOf(integrityOf(entry.name, entry.version)),
    })),
    dependencies: [
      { ref: root, dependsOn: [...parts].map(refOf).sort() },
      ...packages.map(({ folder, dependencies }) => ({
        ref: refOf(folder),
        dependsOn: [...new Set(dependencies.map(refOf))].sort(),
      })),
    ],
  };
}

/** https://github.com/package-url/purl-spec, type `npm`. */
function purlOf({ name, version }: InstalledPackage): string {
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `pkg:npm/${path}@${encodeURIComponent(version)}`;
}

function splitName(full: string): { group?: string; name: string } {
  const [scope = '', name] = full.split('/');
  return name === undefined ? { name: full } : { group: scope, name };
}

function licensesOf(license: string | undefined): { licenses?: object[] } {
  if (license === undefined) return {};
  if (license === 'UNLICENSED' || license.startsWith('SEE LICENSE')) {
    return { licenses: [{ license: { name: license } }] };
  }
  return { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] };
}

function hashesOf(integrity: string | undefined): { hashes?: object[] } {
  if (!integrity?.startsWith('sha512-')) return {};
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
  return { hashes: [{ alg: 'SHA-512', content }] };
}
