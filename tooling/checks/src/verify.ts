import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** `pnpm verify`: all `check:` scripts of the root, as many at once as there are cores, longest first. */
const MAX_FIRST_LENGTH = [
  'check:types',
  'check:lint',
  'check:unused',
  'check:project',
  'check:layers',
  'check:format',
];

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const waiting = Object.entries(scripts)
  .filter(([name]) => name.startsWith('check:'))
  .sort(([one], [other]) => MAX_FIRST_LENGTH.indexOf(one) - MAX_FIRST_LENGTH.indexOf(other));

let failures = 0;

async function runWaiting(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next;
    const startedMs = performance.now();
    const { code, output } = await run(command);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(5);
    if (code === 0) {
      console.log(`OK     ${seconds} s  ${name}`);
    } else {
      failures += 1;
      console.log(`FAILED ${seconds} s  ${name}: ${command}\n${output}`);
    }
  }
}

function run(command: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
process.exitCode = failures === 0 ? 0 : 1;
