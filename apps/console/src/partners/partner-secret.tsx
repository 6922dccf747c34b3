import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { Banner } from '@gatehouse/ui/parts/banner';
import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

export type Partner = AdminOutputs['partner']['list']['data'][number];

/** The cache key of everything read of partners. */
export const PARTNERS_KEY = ['partners'] as const;

/** One of the partners; undefined if it does not exist. There are few partners. */
async function findPartner(partnerId: number, signal: AbortSignal): Promise<Partner | null> {
  let cursor: string | null = null;
  do {
    const page: AdminOutputs['partner']['list'] = await gatehouse.api.partner.list.query(
      { limit: 100, ...(cursor === null ? {} : { cursor }) },
      { signal },
    );
    const found = page.data.find(({ id }) => id === partnerId);
    if (found !== undefined) return found;
    cursor = page.page.nextCursor;
  } while (cursor !== null);
  return null;
}

export function usePartner(partnerId: number) {
  return useQuery({
    queryKey: [...PARTNERS_KEY, partnerId],
    queryFn: ({ signal }) => findPartner(partnerId, signal),
  });
}

/** A secret that is shown only once. */
export function SecretOnce({
  secret,
  note,
}: {
  readonly secret: string;
  readonly note: string;
}): ReactElement {
  return (
    <Banner tone="pending">
      <p className="font-semibold">{t('secret.once')}</p>
      <p className="flex flex-wrap items-center gap-3">
        <code className="font-mono text-lead select-all">{secret}</code>
        <CopyButton text={secret} />
      </p>
      <p className="text-quiet">{note}</p>
    </Banner>
  );
}
