import type { Database } from '@gatehouse/db/database';
import { billingEnvironment, type ProviderSimulator, startProviderSimulator } from '@gatehouse/simulator';
import { type RunningService, type SignedInMember, type StartOptions, signIn } from '@gatehouse/testkit';
import { drain, SANDBOX_SECRET, STRIPE_SECRET, startBilling } from './billing.js';

/** One or more nodes of a service; the simulator plays its payment providers. */
export interface ShopWorld extends AsyncDisposable {
  readonly simulator: ProviderSimulator;
  readonly service: RunningService;
  readonly database: Database;
  /** Starts another node over the same database. */
  addNode(): Promise<RunningService>;
  /** A call as the owner of account 1, or as another member. */
  ask(procedure: string, options?: AskOptions): Promise<Asked>;
  owner: SignedInMember;
  /** Applies the events that have arrived. */
  settle(): Promise<unknown>;
  /** Submits the form of a provider's page, as a browser does; returns the URL it leads to. */
  visit(url: string, fields: Readonly<Record<string, string>>): Promise<string | null>;
}

export interface AskOptions {
  readonly input?: object;
  readonly on?: RunningService;
  readonly token?: string;
  readonly accountId?: number;
}

export interface Asked {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: {
    readonly url?: string;
    readonly expiresAt?: string;
    readonly active?: boolean;
    readonly state?: string;
  };
}

export const APP_URL = 'http://app.gatehouse.test';

export async function startShop(
  options: Pick<StartOptions, 'dialect' | 'now'> & { env?: Readonly<Record<string, string>> },
): Promise<ShopWorld> {
  const simulator = await startProviderSimulator();
  const env = { ...billingEnvironment(simulator.url), ...options.env };
  const service = await startBilling({ ...options, env });
  const nodes: RunningService[] = [];
  simulator.billing.deliverTo({
    stripe: { url: `${service.url}/stripe_webhooks`, secret: STRIPE_SECRET },
    paddle: { url: `${service.url}/paddle_sandbox_webhooks`, secret: SANDBOX_SECRET },
  });
  const owner = await signIn(service, 'owner@acme.test');
  return {
    simulator,
    service,
    database: service.database,
    owner,
    async addNode() {
      const node = await startBilling({ ...options, env, database: service.database });
      nodes.push(node);
      return node;
    },
    async ask(procedure, { input = {}, on = service, token = owner.token, accountId = 1 } = {}) {
      const path = `/v1/${procedure.replaceAll('.', '/')}`;
      const response = await on.send(path, { token, accountId, body: input });
      const body = (await response.json()) as { error?: { code: string }; data?: Asked['data'] };
      return { status: response.status, code: body.error?.code, data: body.data ?? {} };
    },
    settle: () => drain(service),
    async visit(url, fields) {
      const response = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      await response.text();
      await drain(service);
      return response.headers.get('location');
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}
