import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../client.js';
import { isReadOnly, type OwnPlace, useMe } from '../session/me.js';
import { t } from './words.js';

/** For an account that asks for more than this session has shown. */
export function LevelScreen({
  place,
  level,
}: {
  readonly place: OwnPlace;
  readonly level: number;
}): ReactElement {
  const me = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Screen
      title={t('level.title', { account: place.accountName })}
      tone="error"
      lead={t(level >= 3 ? 'level.leadPasskey' : 'level.lead')}
      actions={
        isReadOnly(me) ? undefined : (
          <>
            <Button
              kind="primary"
              isBusy={mutation.isBusy}
              onClick={() =>
                mutation.send(async (signal) => {
                  const { api } = gatehouse.withAccount(place.accountId);
                  await withReauth(() => api.subscription.current.query(undefined, { signal }));
                  await queries.invalidateQueries();
                })
              }
            >
              {t('level.prove')}
            </Button>
            <ButtonLink href="/portal/you/security">{t('level.add')}</ButtonLink>
          </>
        )
      }
    >
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </Screen>
  );
}
