import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleTypes } from './bundle-types.js';

/** Run in the folder of the client, after its compiler: puts one declaration beside each entry. */
const dist = join(process.cwd(), 'dist');
const declarations = join(dist, 'declarations');

const files = await bundleTypes(['main.d.ts', 'admin.d.ts'].map((name) => join(declarations, name)));
await Promise.all([...files].map(([name, text]) => writeFile(join(dist, name), text)));
await rm(declarations, { recursive: true });
