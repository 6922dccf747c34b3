import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { Badge } from '@gatehouse/ui/parts/badge';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import type { ReactElement } from 'react';
import { t } from '../words.js';

export type Webhook = AdminOutputs['webhook']['list']['data'][number];

/** The tone of a delivery's status, the shape of its mark, and its words. */
export const STATUS = {
  failed: ['error', 'error', 'list.failed'],
  received: ['pending', 'clock', 'list.waiting'],
  processed: ['ok', 'ok', 'webhooks.onlyProcessed'],
  ignored: ['ok', 'ok', 'webhooks.onlyIgnored'],
  rejected: ['error', 'ban', 'webhooks.onlyRejected'],
} as const satisfies Readonly<Record<Webhook['status'], readonly [StatusTone, string, string]>>;

/** Whether a delivery was processed, and why not. */
export function WebhookStatus({
  of: { status, attempts, reason },
}: {
  readonly of: Pick<Webhook, 'status' | 'reason'> & { readonly attempts?: number };
}): ReactElement {
  const [tone, shape, words] = STATUS[status];
  return (
    <>
      <Badge tone={tone} shape={shape}>
        {t(words)}
      </Badge>
      {status === 'failed' && attempts !== undefined ? (
        <span className="text-quiet"> {t('mail.failed', { count: attempts })}</span>
      ) : null}
      {reason === null ? null : (
        <span className={`block ${tone === 'error' ? 'text-brick' : 'text-quiet'}`}>
          <bdi>{reason}</bdi>
        </span>
      )}
    </>
  );
}
