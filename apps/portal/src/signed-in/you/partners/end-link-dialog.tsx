import { useSending } from '@gatehouse/screens/failure/use-sending';
import { proven } from '@gatehouse/screens/session/proven';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { t } from '../words.js';

/** Ends the link to a partner, which can then not sign one in any more. */
export function EndLinkDialog({
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
      title={t('partnerEnd.title', { name })}
      effect={t('partnerEnd.effect', { name })}
      action={t('partnerEnd.submit')}
      sending={sending}
      onConfirm={async (_fields, signal) => {
        await proven(() => gatehouse.api.partner.endLink.mutate({ partnerId }, { signal }));
        await queries.invalidateQueries({ queryKey });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
