import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Names the package that `pnpm pack --json` made for its version, and prints the command that installs it. */
const packed: unknown = JSON.parse(await text(process.stdin));
if (!isPacked(packed)) throw new Error('This is not what `pnpm pack --json` prints');
const named = join(dirname(packed.filename), `gatehouse-client-sdk-${packed.version}.tgz`);
await rename(packed.filename, named);
process.stdout.write(`npm install ${named}\n`);

function isPacked(value: unknown): value is { version: string; filename: string } {
  return typeof value === 'object' && value !== null && 'version' in value && 'filename' in value;
}
