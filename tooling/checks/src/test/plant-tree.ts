import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface PlantedTree {
  readonly root: string;
  [Symbol.dispose](): void;
}

/** Writes path → text pairs in a temporary folder, and links → targets; `using` removes it all. */
export function plantTree(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): PlantedTree {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-checks-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
