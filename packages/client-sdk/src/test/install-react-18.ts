import { cp, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FRAMEWORKS } from './frameworks.js';
import type { PackedClient } from './install-packed-client.js';

/** Installs React 18 in the project, copied, because links would resolve to the React of the workspace. */
export async function installReact18({ folder }: PackedClient): Promise<void> {
  const dom = await realpath(join(FRAMEWORKS, 'react-dom-18'));
  const parts = { react: await realpath(join(FRAMEWORKS, 'react-18')), 'react-dom': dom };
  for (const [name, from] of Object.entries({ ...parts, scheduler: join(dirname(dom), 'scheduler') }))
    await cp(from, join(folder, 'node_modules', name), { recursive: true, dereference: true });
}
