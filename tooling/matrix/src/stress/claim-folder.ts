import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the items of a run have their temporary folders. */
const PLACES = { onDisk: tmpdir(), inMemory: existsSync('/dev/shm') ? '/dev/shm' : tmpdir() };

const prefixOf = (pid: number): string => `gatehouse-stress-${pid}-`;

/** A temporary folder of this run. Its mode lets a cluster's servers in, which run as another user. */
export function makeTemporary(place: keyof typeof PLACES): string {
  const folder = mkdtempSync(join(PLACES[place], prefixOf(process.pid)));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Keeps the folder for one run at a time, and removes the temporary folders of one that was killed.
 * @throws Error if another run has it
 */
export function claimFolder(folder: string): Disposable {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'running');
  const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  if (other !== undefined && isAlive(other))
    throw new Error(`process ${other} runs the stress tests; if it is another program, delete ${file}`);
  if (other !== undefined) removeTemporary(other);
  writeFileSync(file, String(process.pid));
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

function removeTemporary(pid: number): void {
  for (const place of Object.values(PLACES)) {
    const names = readdirSync(place).filter((name) => name.startsWith(prefixOf(pid)));
    for (const name of names) rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
