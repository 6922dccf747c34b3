export { type BillingSimulator, billingEnvironment } from './billing/billing-simulator.js';
export { paddleLife } from './billing/paddle-life.js';
export {
  DAY_MS,
  type LifeOptions,
  type LifeStep,
  MONTH_MS,
  type SignedDelivery,
  type SimulatedProvider,
  type Status,
  signDelivery,
} from './billing/send-life.js';
export { shuffled } from './billing/shop.js';
export { stripeLife } from './billing/stripe-life.js';
export { DEFAULT_EVENTS_PORT } from './events/forward-deliveries.js';
export type { Misbehaviour } from './misbehaviour.js';
export { giveConsent } from './social/consent-page.js';
export { type Person, PROVIDER_KEYS, type ProviderKey, ROBIN } from './social/dialect.js';
export { facebookSignedRequest } from './social/facebook-signed-request.js';
export { providerEnvironment, simulatedClient } from './social/simulated-clients.js';
export {
  type Conduct,
  type ProviderSimulator,
  startProviderSimulator,
} from './social/start-provider-simulator.js';
