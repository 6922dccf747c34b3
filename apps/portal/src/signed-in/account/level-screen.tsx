import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Screen } from '@gatehouse/ui/screen/screen';
import { proven } from '@gatehouse/ui/session/proven';
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
  const sending = useSending();
  return (
    <Screen
      title={t('level.title', { account: place.accountName })}
      state="shut"
      lead={t(level >= 3 ? 'level.leadPasskey' : 'level.lead')}
      actions={
        isReadOnly(me) ? undefined : (
          <>
            <Button
              kind="primary"
              isBusy={sending.isBusy}
              onClick={() =>
                sending.send(async (signal) => {
                  const { api } = gatehouse.withAccount(place.accountId);
                  await proven(() => api.subscription.current.query(undefined, { signal }));
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
      {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
    </Screen>
  );
}
