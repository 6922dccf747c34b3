import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
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
  const mutation = useMutationState();
  const provider = nameOfProvider(connection.provider);
  return (
    <Confirm
      title={t('unlink.title', { provider })}
      effect={t('unlink.effect', { provider })}
      action={t('unlink.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const ended = { connectionId: connection.id };
        await withReauth(() => gatehouse.api.social.remove.mutate(ended, { signal }));
        await queries.invalidateQueries({ queryKey: CONNECTIONS_KEY });
        onNotice(t('unlink.done', { provider }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
