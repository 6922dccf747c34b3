export { type BillingSimulator, billingEnvironment } from './billing/billing-simulator.js';
export { DAY_MS, type LifeOptions, type LifeStep, MONTH_MS, type Standing } from './billing/life.js';
export { paddleLife } from './billing/paddle-life.js';
export { shuffled } from './billing/shuffled.js';
export { type SignedDelivery, type SimulatedProvider, signDelivery } from './billing/sign-delivery.js';
export { stripeLife } from './billing/stripe-life.js';
export type { Misbehaviour } from './misbehaviour.js';
export { PROVIDER_KEYS, type ProviderKey } from './social/dialect.js';
export { facebookSignedRequest } from './social/facebook-signed-request.js';
export { giveConsent } from './social/give-consent.js';
export { type Person, ROBIN } from './social/person.js';
export { providerEnvironment, simulatedClient } from './social/simulated-clients.js';
export {
  type Conduct,
  type ProviderSimulator,
  startProviderSimulator,
} from './social/start-provider-simulator.js';
