import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from './version.js';

const ROOT = new URL('../../../', import.meta.url);

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

it('the version is that of every package and of the image', () => {
  const folders = ['apps', 'packages', 'tooling', 'examples'].flatMap((group) =>
    readdirSync(new URL(group, ROOT)).map((name) => `${group}/${name}/`),
  );
  const packages = ['', ...folders]
    .map((folder) => `${folder}package.json`)
    .filter((path) => existsSync(new URL(path, ROOT)));
  expect(packages.length).toBeGreaterThan(20);
  for (const path of packages) {
    const manifest: unknown = JSON.parse(read(path));
    expect([path, manifest]).toMatchObject([path, { version: VERSION }]);
  }
  expect(read('deploy/Dockerfile')).toContain(`ARG VERSION=${VERSION}\n`);
  expect(read('CHANGELOG.md')).toContain(`\n## ${VERSION}`);
});
