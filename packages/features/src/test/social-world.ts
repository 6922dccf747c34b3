import { createApp } from '@gatehouse/api-main/app';
import { type ProviderSimulator, providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { type RunningService, type StartOptions, startService } from '@gatehouse/testkit';

/** The main service, and the six simulated providers it uses. */
export interface SocialWorld extends AsyncDisposable {
  readonly simulator: ProviderSimulator;
  readonly service: RunningService;
}

export async function startSocialWorld(options: Omit<StartOptions, 'application'>): Promise<SocialWorld> {
  const simulator = await startProviderSimulator();
  const service = await startService(createApp, {
    ...options,
    application: 'web',
    env: { ...providerEnvironment(simulator.url), ...options.env },
  });
  return {
    simulator,
    service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}
