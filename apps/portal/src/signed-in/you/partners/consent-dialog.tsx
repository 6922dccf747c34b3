import { useSending } from '@gatehouse/screens/failure/use-sending';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { t } from '../words.js';

/** Lets a partner's sign-on into all of one's accounts. */
export function ConsentDialog({
  partnerId,
  name,
  queryKey,
  onClose,
}: {
  readonly partnerId: number;
  readonly name: string;
  readonly queryKey: readonly unknown[];
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const sending = useSending();
  return (
    <Confirm
      title={t('consent.title', { name })}
      effect={t('consent.effect')}
      action={t('consent.submit')}
      sending={sending}
      onConfirm={async (_fields, signal) => {
        await gatehouse.api.partner.consent.mutate({ partnerId, consent: true }, { signal });
        await queries.invalidateQueries({ queryKey });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
