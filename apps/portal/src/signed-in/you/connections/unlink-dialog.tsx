import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { nameOfProvider } from '../../../signed-out/provider-names.js';
import { CONNECTIONS_KEY, type OwnConnection } from './own-connection.js';
import { t } from './words.js';

/** Ends a connection, with what the provider told. */
export function UnlinkDialog({
  connection,
  onNotice,
  onClose,
}: {
  readonly connection: OwnConnection;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const sending = useSending();
  const provider = nameOfProvider(connection.provider);
  return (
    <Confirm
      title={t('unlink.title', { provider })}
      effect={t('unlink.effect', { provider })}
      action={t('unlink.submit')}
      sending={sending}
      onConfirm={async (_fields, signal) => {
        const ended = { connectionId: connection.id };
        await proven(() => gatehouse.api.social.remove.mutate(ended, { signal }));
        await queries.invalidateQueries({ queryKey: CONNECTIONS_KEY });
        onNotice(t('unlink.done', { provider }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
