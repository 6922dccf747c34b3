import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../account-place.js';
import { type Connection, domainsIn, type Sso, useSsoKey } from './sso-data.js';
import { t } from './words.js';

interface Dialogs {
  readonly connection: Connection;
  readonly sso: Sso;
  readonly onDone: (notice: string) => Promise<void> | void;
  readonly onClose: () => void;
}

/** Whether the company sign-in is required, and would no longer be without this connection. */
function endsRequirement({ id, active }: Connection, { required, connections }: Sso): boolean {
  return required && active && !connections.some((each) => each.active && each.id !== id);
}

/** Lets people sign in by a connection, or by its changed settings. */
export function ActivateDialog({ connection, sso, onDone, onClose }: Dialogs): ReactElement {
  const { api } = usePlace();
  const queries = useQueryClient();
  const queryKey = useSsoKey();
  const mutation = useMutationState();
  const { id: connectionId, name, active } = connection;
  const domains = domainsIn(sso);
  return (
    <Confirm
      title={active ? t('activate.titleChanges', { name }) : t('activate.title', { name })}
      effect={
        active
          ? t('activate.effectChanges')
          : domains === ''
            ? t('activate.effectNoDomain')
            : t('activate.effect', { domains })
      }
      action={t('activate.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => api.sso.activate.mutate({ connectionId }, { signal }));
        await queries.invalidateQueries({ queryKey });
        onClose();
        await onDone(t('activate.done', { name }));
      }}
      onClose={onClose}
    />
  );
}

/** Ends the sign-ins by a connection, which keeps its settings. */
export function DeactivateDialog({ connection, sso, onDone, onClose }: Dialogs): ReactElement {
  const { api } = usePlace();
  const queries = useQueryClient();
  const queryKey = useSsoKey();
  const mutation = useMutationState();
  const { id: connectionId, name } = connection;
  return (
    <Confirm
      title={t('deactivate.title', { name })}
      effect={
        <>
          <p>{t('deactivate.effect')}</p>
          {endsRequirement(connection, sso) ? (
            <p className="pt-3 font-semibold">{t('deactivate.last')}</p>
          ) : null}
        </>
      }
      action={t('deactivate.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => api.sso.activate.mutate({ connectionId, active: false }, { signal }));
        await queries.invalidateQueries({ queryKey });
        onClose();
        await onDone(t('deactivate.done', { name }));
      }}
      onClose={onClose}
    />
  );
}

export function RemoveDialog({ connection, sso, onDone, onClose }: Dialogs): ReactElement {
  const { api } = usePlace();
  const queries = useQueryClient();
  const queryKey = useSsoKey();
  const mutation = useMutationState('typed');
  const once = useOnce();
  const { id: connectionId, name } = connection;
  return (
    <Confirm
      title={t('ssoRemove.title', { name })}
      effect={
        <>
          <p>{t('ssoRemove.effect')}</p>
          {endsRequirement(connection, sso) ? (
            <p className="pt-3 font-semibold">{t('deactivate.last')}</p>
          ) : null}
        </>
      }
      action={t('ssoRemove.submit')}
      typed={{ label: t('ssoRemove.typed'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.sso.remove.mutate({ connectionId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await onDone(t('ssoRemove.done', { name }));
        await queries.invalidateQueries({ queryKey });
      }}
      onClose={onClose}
    />
  );
}
