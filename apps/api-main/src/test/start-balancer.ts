import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@gatehouse/testkit';
import { startHaproxy } from '@gatehouse/testkit/operations';

const CONFIGURATION = fileURLToPath(new URL('../../../../deploy/proxy/haproxy.cfg', import.meta.url));

/** haproxy with the configuration that is shipped, in front of two nodes. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Resolves when it uses both nodes. */
  bothUp(): Promise<void>;
}

export async function startBalancer([first, second]: readonly [number, number]): Promise<Balancer> {
  const [main, admin, figures] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const haproxy = await startHaproxy(CONFIGURATION, {
    ports: [main, admin, figures],
    variables: {
      FIGURES_BIND: `127.0.0.1:${figures}`,
      MAIN_BIND: `127.0.0.1:${main}`,
      MAIN_NODE_1: `127.0.0.1:${first}`,
      MAIN_NODE_2: `127.0.0.1:${second}`,
      ADMIN_BIND: `127.0.0.1:${admin}`,
      ADMIN_NODE_1: `127.0.0.1:${first}`,
      ADMIN_NODE_2: `127.0.0.1:${second}`,
    },
  });
  return {
    url: `http://127.0.0.1:${main}`,
    async bothUp() {
      for (;;) {
        const response = await fetch(`http://127.0.0.1:${figures}/metrics`);
        const text = await response.text();
        const up = text.match(/^haproxy_server_status\{proxy="main",.*state="UP"\} 1$/gm);
        if (up?.length === 2) return;
        await pause(50);
      }
    },
    [Symbol.asyncDispose]: () => haproxy[Symbol.asyncDispose](),
  };
}
