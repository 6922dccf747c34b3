import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { createSbom } from './create-sbom.js';
import { installedPackages } from './installed-packages.js';

/** The content of deploy/production-tree: the services, the command line, and the pages, whose packages are in their files. */
const PARTS = ['apps/api-main', 'apps/api-admin', 'tooling/cli', 'apps/portal', 'apps/console'];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const lockShape = z.object({
  overrides: z.record(z.string(), z.string()).default({}),
  packages: z.record(z.string(), z.object({ resolution: z.object({ integrity: z.string().optional() }) })),
});
const manifestShape = z.object({ name: z.string(), version: z.string() });

const lock = lockShape.parse(parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')));
const { name, version } = manifestShape.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const removed = Object.keys(lock.overrides).filter((key) => lock.overrides[key] === '-');
const parts = PARTS.map((folder) => realpathSync(join(root, folder)));
const sbom = createSbom(
  installedPackages(parts, new Set(removed)),
  { name, version, parts: new Set(parts), createdAt: new Date() },
  (of, at) => lock.packages[`${of}@${at}`]?.resolution.integrity,
);
process.stdout.write(`${JSON.stringify(sbom, undefined, 2)}\n`);
