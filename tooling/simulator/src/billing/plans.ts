const monthly = (amount: number) => ({ amount, currency: 'EUR', per: 'month' });

/** What the simulated providers sell. */
export const PLANS = [
  { key: 'team', provider: 'stripe', priceId: 'price_gatehouse_team', name: 'Team', price: monthly(29) },
  {
    key: 'business',
    provider: 'stripe',
    priceId: 'price_gatehouse_business',
    name: 'Business',
    price: monthly(99),
  },
  {
    key: 'team-paddle',
    provider: 'paddle',
    priceId: 'pri_gatehouse_team',
    name: 'Team Plus',
    price: monthly(49),
  },
];

/** The price of a plan, in cents. */
export function centsOf(priceId: string): number {
  return (PLANS.find((plan) => plan.priceId === priceId)?.price.amount ?? 49) * 100;
}
