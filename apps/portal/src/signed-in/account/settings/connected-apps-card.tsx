import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { type ConnectedApp, ConnectedApps } from '@gatehouse/ui/team/connected-apps';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';

/** The applications that members let act in the account, for those who may revoke that. */
export function ConnectedAppsCard({
  onNotice,
}: {
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const queryKey = [...key, 'connected'];
  const apps = usePages(queryKey, (page, signal) => api.consent.listInAccount.query(page, { signal }));
  const [asked, setAsked] = useState<ConnectedApp>();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const named = asked && { app: asked.name, name: asked.memberName };
  return (
    <>
      <ConnectedApps
        apps={apps}
        lead={t('connected.lead')}
        whereOf={({ memberName }) => t('connected.for', { name: memberName })}
        actionOf={(app) => (
          <RowAction about={`${app.name}, ${app.memberName}`} isGrave onClick={() => setAsked(app)}>
            {t('connected.remove')}
          </RowAction>
        )}
      />
      {asked === undefined || named === undefined ? null : (
        <Confirm
          title={t('connected.question', named)}
          effect={t('connected.effect', named)}
          action={t('connected.submit')}
          mutation={mutation}
          onConfirm={async (_fields, signal) => {
            await api.consent.withdrawInAccount.mutate({ consentId: asked.id }, { signal });
            await queries.invalidateQueries({ queryKey });
            onNotice(t('connected.removed', named));
            setAsked(undefined);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
