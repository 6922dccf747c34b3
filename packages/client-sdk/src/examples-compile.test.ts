// @module-tag slow

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it.each(['express-sign-in', 'mcp-server'])(
  'the example %s compiles with its own compiler',
  {
    timeout: 120_000,
  },
  async (name) => {
    const example = fileURLToPath(new URL(`../../../examples/${name}/`, import.meta.url));
    const compiler = createRequire(`${example}package.json`).resolve('typescript/lib/tsc.js');
    expect((await run(process.execPath, [compiler, '-p', example])).stdout).toBe('');
  },
);
