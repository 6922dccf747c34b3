import type { EventReceiver } from '../billing/billing-simulator.js';
import { PARTNER_PORT, startPartnerFrontEnd } from '../partner/partner-front-end.js';
import { startProviderSimulator } from './start-provider-simulator.js';

/** Plays all providers until the process is told to stop; resolves to the exit code. */
export async function playProviders({
  port,
  host,
  receivers,
}: {
  port: number;
  host: string;
  /** Where the events of the payment providers go. */
  receivers: Partial<Record<'stripe' | 'paddle', EventReceiver>>;
}): Promise<number> {
  const simulator = await startProviderSimulator({ port, host });
  simulator.billing.deliverTo(receivers);
  const frontEnd = await startPartnerFrontEnd(PARTNER_PORT);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
  });
  await frontEnd?.[Symbol.asyncDispose]();
  await simulator[Symbol.asyncDispose]();
  return 0;
}
