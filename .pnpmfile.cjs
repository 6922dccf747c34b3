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

module.exports = { hooks: { readPackage } };
