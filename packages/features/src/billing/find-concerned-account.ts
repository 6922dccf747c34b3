import type { Database } from '@gatehouse/db/database';
import { findCustomerAccount } from '@gatehouse/db/queries/billing-customer';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import type { ClaimedWebhook } from '@gatehouse/db/queries/process-webhooks';
import { z } from 'zod';
import { BILLING_PROVIDERS, type BillingProvider } from '../core/billing/billing-event.js';
import { accountIdFrom, accountIdInData, expandableId } from './provider-fields.js';

interface Concern {
  readonly accountId: number | undefined;
  readonly customerId: string | undefined;
}

const customer = expandableId.optional().catch(undefined);
const data = accountIdInData.catch(undefined);

/** Where the events of a provider name an account and a customer. Nothing else in them has to be valid. */
const SHAPES: Readonly<Record<BillingProvider, z.ZodType<Concern>>> = {
  stripe: z
    .object({
      data: z.object({
        object: z.object({ customer, metadata: data, client_reference_id: z.unknown().optional() }),
      }),
    })
    .transform(({ data: { object } }) => ({
      accountId: object.metadata ?? accountIdFrom(object.client_reference_id),
      customerId: object.customer,
    })),
  paddle: z
    .object({ data: z.object({ customer_id: customer, custom_data: data }) })
    .transform((event) => ({ accountId: event.data.custom_data, customerId: event.data.customer_id })),
};

/** The account of an event that could not be applied: the one it names, else that of its customer. Null where none is known. */
export async function findConcernedAccount(
  db: Database,
  { provider: name, body }: Pick<ClaimedWebhook, 'provider' | 'body'>,
): Promise<number | null> {
  const provider = BILLING_PROVIDERS.find((each) => each === name);
  if (provider === undefined) return null;
  const { accountId, customerId } = readConcern(provider, body);
  if (accountId !== undefined && (await findAccountState(db, accountId)) !== undefined) return accountId;
  return customerId === undefined ? null : findCustomerAccount(db, { provider, customerId });
}

function readConcern(provider: BillingProvider, body: string): Concern {
  const nothing = { accountId: undefined, customerId: undefined };
  try {
    return SHAPES[provider].safeParse(JSON.parse(body)).data ?? nothing;
  } catch {
    return nothing;
  }
}
