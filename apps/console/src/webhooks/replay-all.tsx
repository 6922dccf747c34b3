import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { type Page, readRows } from '@gatehouse/ui/list/ask-for-rows';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import type { Webhook } from './webhook-status.js';

/** How many one run retries. */
const MOST = 500;

/** Asks whether all failed deliveries are to be processed again, and retries them one after the other. */
export function ReplayAllDialog({
  onDone,
  onClose,
}: {
  readonly onDone: (ended: { readonly retried: number; readonly leftOut: number }) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [done, setDone] = useState(0);
  return (
    <Confirm
      title={t('webhooks.allTitle')}
      effect={done === 0 ? t('webhooks.allEffect', { count: MOST }) : t('webhooks.allSoFar', { count: done })}
      action={t('webhooks.allSubmit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        let count = done;
        let leftOut = 0;
        try {
          for (const { id } of await listFailed(signal)) {
            if (await replay(id, signal)) {
              count += 1;
              setDone(count);
            } else leftOut += 1;
          }
        } finally {
          await queries.invalidateQueries({ queryKey: ['webhooks'] });
        }
        onDone({ retried: count, leftOut });
      }}
      onClose={() => {
        mutation.cancel();
        onClose();
      }}
    />
  );
}

async function listFailed(signal: AbortSignal): Promise<readonly Webhook[]> {
  const failed = await readRows<Webhook>(
    (page): Promise<Page<Webhook>> =>
      gatehouse.api.webhook.list.query({ ...page, status: 'failed', limit: 200 }, { signal }),
    MOST,
  );
  return failed.slice(0, MOST);
}

/** Why a delivery is left out: somebody else has retried it, or its account requires a higher level than this session has. */
const LEFT_OUT = ['not_replayable', 'not_found', 'enrolment_required', 'verification_required'] as const;

/** Whether it was retried. */
async function replay(id: number, signal: AbortSignal): Promise<boolean> {
  try {
    await gatehouse.api.webhook.replay.mutate({ id }, { signal });
    return true;
  } catch (error) {
    if (isGatehouseError(error, ...LEFT_OUT)) return false;
    throw error;
  }
}
