import { findFreePort, startExample } from '@gatehouse/testkit';

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
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = startExample(folder, [file], { GATEHOUSE_URL: gatehouseUrl, PORT: String(port) });
  await server.prints(new RegExp(url));
  return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
