import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findFreePort } from '@gatehouse/testkit';

/** A server of an example. */
export interface ExampleServer extends AsyncDisposable {
  readonly url: string;
}

/** Runs a file of a packed example, which prints its address when it is ready. */
export async function runExampleServer(
  folder: string,
  file: string,
  gatehouseUrl: string,
): Promise<ExampleServer> {
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const program = createRequire(join(folder, 'package.json')).resolve('tsx/cli');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, file], {
    cwd: folder,
    env: { PATH, HOME, GATEHOUSE_URL: gatehouseUrl, PORT: new URL(url).port },
  });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}:\n${said.join('')}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        said.push(part.toString());
        if (said.join('').includes(url)) resolve();
      });
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
