import type { EventReceiver } from '../billing/billing-simulator.js';
import { startPartnerFrontEnd } from '../partner/partner-front-end.js';
import { startProviderSimulator } from './start-provider-simulator.js';

/** Plays all providers until a signal stops the process. Resolves to the exit code. */
export async function playProviders({
  port,
  host,
  partnerPort,
  eventsPort,
  receivers,
}: {
  port: number;
  /** The URL of the demonstration partner's front end. */
  partnerPort: number;
  /** Where the events of the demonstration are passed on to. */
  eventsPort: number;
  host: string;
  /** The URL for the events of the payment providers. */
  receivers: Partial<Record<'stripe' | 'paddle', EventReceiver>>;
}): Promise<number> {
  const simulator = await startProviderSimulator({ port, host, eventsPort });
  simulator.billing.deliverTo(receivers);
  const frontEnd = await startPartnerFrontEnd(partnerPort);
  if (frontEnd === undefined)
    process.stderr.write(
      `Port ${partnerPort} is taken: login URLs of acme-partner lead to the program that has it.\n`,
    );
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
