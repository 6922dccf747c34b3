import { cacheFolderIn } from '../cache.js';
import { NODES } from '../cells.js';
import { fetchMysql } from '../mysql-program.js';
import { fetchNode } from '../node-programs.js';

/** `pnpm test:matrix:prepare`: fetches the Nodes and MySQL, unless they are there. Only this needs the network. */
const cache = cacheFolderIn(process.env);
const parts: [name: string, fetch: () => Promise<string>][] = NODES.map((node) => [
  `Node ${node}`,
  () => fetchNode(cache, node),
]);
if (process.env['MATRIX_MYSQL_URL'] === undefined)
  parts.push(['MySQL', async () => (await fetchMysql(cache)).version]);

for (const [name, fetch] of parts) {
  try {
    console.log(`${name}: ${await fetch()}`);
  } catch (error) {
    console.log(`${name}: missing. ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
