import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { keepLog } from './canaries.js';

/** A program of an example, until disposal. */
export interface ExampleProgram extends AsyncDisposable {
  /**
   * Waits until it has printed this, after what was waited for before. Returns the part in parentheses, or the whole match.
   * @throws Error with its output if it ends first
   */
  prints(pattern: RegExp): Promise<string>;
  /** Types a line. */
  type(line: string): void;
}

/** Runs a program of an example with the `tsx` of that example. */
export function startExample(
  folder: string,
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): ExampleProgram {
  const tsx = createRequire(join(folder, 'package.json')).resolve('tsx/cli');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [tsx, file, ...args], { cwd: folder, env: { PATH, HOME, ...env } });
  const ended = once(child, 'exit');
  let printed = '';
  let unread = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      printed += part.toString();
      unread += part.toString();
      child.emit('printed');
    });
  return {
    async prints(pattern) {
      for (;;) {
        const match = pattern.exec(unread);
        if (match) {
          unread = unread.slice(match.index + match[0].length);
          return match[1] ?? match[0];
        }
        if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}:\n${printed}`);
        await Promise.race([once(child, 'printed'), ended]);
      }
    },
    type: (line) => void child.stdin.write(`${line}\n`),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      keepLog(printed);
    },
  };
}
