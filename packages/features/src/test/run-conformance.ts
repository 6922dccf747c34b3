import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const INSTALLED = new URL('../../../../tooling/frameworks/node_modules/', import.meta.url);

const SUITE = fileURLToPath(new URL('@modelcontextprotocol/conformance/dist/index.js', INSTALLED));

const moduleOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;

// The suite imports `globSync`, which Node 20 does not have. Only a command that is not used here calls it.
const FS = moduleOf(
  `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = null;`,
);
const HOOKS = moduleOf(
  `export const resolve = (name, context, next) =>
    name === 'fs' ? { url: ${JSON.stringify(FS)}, shortCircuit: true } : next(name, context);`,
);
const REGISTER = moduleOf(`import { register } from 'node:module'; register(${JSON.stringify(HOOKS)});`);

/** What the suite found in each of its scenarios for servers: how many checks passed, and how many failed. */
export interface ConformanceReport {
  readonly scenarios: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>;
  readonly output: string;
}

const counts = z.tuple([z.string(), z.string(), z.coerce.number(), z.coerce.number()]);

/** Runs the conformance suite of the Model Context Protocol against a server. It has no way to send a token. */
export async function runConformance(url: string): Promise<ConformanceReport> {
  const hooks = 'globSync' in fs ? [] : ['--import', REGISTER];
  const args = [...hooks, SUITE, 'server', '--url', url, '--suite', 'all'];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { env: {} }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
  const lines = [...output.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)].map((line) =>
    counts.parse([...line]),
  );
  return { output, scenarios: new Map(lines.map(([, name, passed, failed]) => [name, { passed, failed }])) };
}
