const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Peers that these packages offer to work with and that our services never load. pnpm resolves an optional peer from whatever another
 * package of the workspace has, so that an example's Next.js, React and TypeScript became dependencies of production.
 */
const UNUSED_PEERS = new Map([
  ['@trpc/client', ['typescript']],
  ['@trpc/server', ['@types/express', '@types/ws', 'next', 'typescript']],
  ['debug', ['supports-color']],
  ['drizzle-orm', ['@libsql/client', '@opentelemetry/api', 'kysely']],
  ['mysql2', ['@types/node']],
  ['stripe', ['@types/node']],
]);

/** @param {{ name?: string, peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, object>, libc?: string[] }} manifest */
function readPackage(manifest) {
  for (const peer of UNUSED_PEERS.get(manifest.name ?? '') ?? []) {
    delete manifest.peerDependencies?.[peer];
    delete manifest.peerDependenciesMeta?.[peer];
  }
  // The binaries of libsql name no C library, so that each machine would get both.
  const library = /^@libsql\/linux-.+-(gnu|musl)$/.exec(manifest.name ?? '')?.[1];
  if (library !== undefined) manifest.libc = [library === 'gnu' ? 'glibc' : 'musl'];
  return manifest;
}

/**
 * The client is packed without what only this workspace reads, and until its first release with a version of its content, so that npm
 * does not take two packages for the same.
 * @param {{ name: string, version: string, exports: Record<string, string | Record<string, unknown>>, scripts?: object, devDependencies?: object }} manifest
 * @param {string} folder
 */
function beforePacking(manifest, folder) {
  if (manifest.name !== '@gatehouse/client-sdk') return manifest;
  delete manifest.scripts;
  delete manifest.devDependencies;
  for (const entry of Object.values(manifest.exports))
    if (typeof entry !== 'string') delete entry['@gatehouse/source'];
  const isReleased =
    process.argv.includes('publish') || process.argv.includes('--config.gatehouse-release=true');
  if (!isReleased) manifest.version += `-dev.${digestOf(manifest, folder)}`;
  return manifest;
}

/**
 * @param {object} manifest
 * @param {string} folder
 */
function digestOf(manifest, folder) {
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) throw new Error('Build the client before it is packed: pnpm pack:client does both');
  const built = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const content = createHash('sha256').update(JSON.stringify(manifest));
  for (const path of [join(folder, 'README.md'), join(folder, 'CHANGELOG.md'), ...built.sort()])
    content.update(`\0${path.slice(folder.length)}\0`).update(readFileSync(path));
  // Letters alone: a version must not have a number that begins with 0.
  return content
    .digest('hex')
    .slice(0, 12)
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}

/**
 * `pnpm start` on a fresh machine installs a part of the packages, which is all it runs, in half of the time. Every other command needs
 * all of them: pnpm would take such a part for the whole, so that what it noted goes.
 * @param {{ verifyDepsBeforeRun?: string | false }} config 'install', but for a command that a script runs
 */
function updateConfig(config) {
  if (config.verifyDepsBeforeRun !== 'install') return config;
  const notes = join(__dirname, 'node_modules/.pnpm-workspace-state-v1.json');
  const isInstalled = existsSync(notes);
  if (process.argv.slice(2).find((word) => !word.startsWith('-')) === 'start')
    return isInstalled ? config : { ...config, verifyDepsBeforeRun: false };
  if (isInstalled && /"filteredInstall": *true/.test(readFileSync(notes, 'utf8'))) rmSync(notes);
  return config;
}

module.exports = { hooks: { readPackage, beforePacking, updateConfig } };
