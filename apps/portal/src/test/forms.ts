import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { type FormCase as AnyFormCase, walkForms as walk } from '@gatehouse/testkit/forms';
import { inject } from 'vitest';
import { type OpenPortal, openPortal } from './open-portal.js';

export { countOf, formCase } from '@gatehouse/testkit/forms';

/** A form of the portal, as a person uses it. */
export type FormCase = AnyFormCase<OpenPortal>;

/**
 * The tests of forms of the portal, which knows providers.
 * @param slow the one whose answer takes its time
 */
export function walkForms(forms: Readonly<Record<string, FormCase>>, slow: string): void {
  walk(openWithProviders, forms, slow);
}

async function openWithProviders(): Promise<OpenPortal> {
  const simulator = await startProviderSimulator();
  const portal = await openPortal(inject('dialect'), providerEnvironment(simulator.url));
  return {
    ...portal,
    async [Symbol.asyncDispose]() {
      await portal[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}
