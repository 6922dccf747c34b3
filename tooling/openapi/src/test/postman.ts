import { createRequire } from 'node:module';

interface SdkRequest {
  readonly method: string;
  readonly url: { toString(): string };
  readonly auth?: { readonly type: string };
  readonly headers: { map<Value>(read: (header: { readonly key: string }) => Value): Value[] };
  readonly body?: { readonly mode: string };
}

interface SdkCollection {
  forEachItem(visit: (item: { readonly request: SdkRequest }) => void): void;
}

interface Run {
  start(callbacks: {
    request(
      error: Error | null,
      cursor: unknown,
      response: { readonly code: number; text(): string },
      request: unknown,
      item: { readonly name: string },
    ): void;
    script(error: Error | null): void;
    done(error: Error | null): void;
  }): void;
}

type StartedRun = (error: Error | null, run: Run) => void;

const require = createRequire(import.meta.url);

/** Postman's SDK. Its declarations are not a module, and its engine, which Newman uses too, has none. */
const { Collection } = require('postman-collection') as { Collection: new (made: object) => SdkCollection };
const { Runner } = require('postman-runtime') as {
  Runner: new () => { run(collection: SdkCollection, options: object, started: StartedRun): void };
};

/** The requests of a collection as Postman's SDK reads them. */
export function readCollection(made: object): SdkRequest[] {
  const requests: SdkRequest[] = [];
  new Collection(made).forEachItem(({ request }) => void requests.push(request));
  return requests;
}

/** The result of one request of a collection. */
export interface RanRequest {
  readonly name: string;
  readonly status: number;
  readonly body: string;
}

/** Runs a collection as Postman does, scripts included; fails on the first request that is not answered. */
export async function runCollection(made: object): Promise<RanRequest[]> {
  const ran: RanRequest[] = [];
  await new Promise<void>((resolve, reject) => {
    const failing = (error: Error | null) => {
      if (error) reject(error);
    };
    const timeout = { request: 30_000, script: 10_000 };
    new Runner().run(new Collection(made), { timeout }, (notStarted, run) => {
      failing(notStarted);
      run.start({
        request(error, _cursor, response, _request, { name }) {
          failing(error);
          if (!error) ran.push({ name, status: response.code, body: response.text() });
        },
        script: failing,
        done(error) {
          failing(error);
          resolve();
        },
      });
    });
  });
  return ran;
}
