export { type LifeOptions, type LifeStep, MONTH_MS, type Standing } from './billing/life.js';
export { paddleLife } from './billing/paddle-life.js';
export { type SignedDelivery, type SimulatedProvider, signDelivery } from './billing/sign-delivery.js';
export { stripeLife } from './billing/stripe-life.js';
