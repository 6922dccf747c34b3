import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { gatehouse } from '../../client.js';
import { SCREENS } from '../../links.js';
import { isReadOnly, type OwnPlace, placesOf, useMe } from '../session/me.js';
import { PlaceContext, recordAccount, usePlace } from './account-place.js';
import { t } from './words.js';

/** For an account that asks for more than this session has shown. */
function LevelScreen({ place, level }: { readonly place: OwnPlace; readonly level: number }): ReactElement {
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

/** For accounts that are not one's own, closed or not there, which all look alike. */
export function NoAccount(): ReactElement {
  return (
    <Screen title={t('none.title')} tone="error" lead={t('none.lead')}>
      <p>
        <Link href={SCREENS.home}>{t('none.home')}</Link>
      </p>
    </Screen>
  );
}

/** Shows the screens of the account that the path names, or why there are none. */
export function AccountFrame(): ReactElement {
  const { account } = useParams({ strict: false });
  const place = placesOf(useMe()).find(({ accountId }) => String(accountId) === account);
  const accountId = place?.accountId;
  useEffect(() => {
    if (accountId !== undefined) recordAccount(accountId);
  }, [accountId]);
  if (place === undefined) return <NoAccount />;
  return (
    <PlaceContext key={place.accountId} value={place}>
      {place.requires === null ? <Outlet /> : <LevelScreen place={place} level={place.requires.level} />}
    </PlaceContext>
  );
}

/** Leads to the first screen of an account that its member may open. */
export function AccountIndex(): ReactElement {
  const { accountId, maySee } = usePlace();
  const params = { account: String(accountId) };
  return (
    <Navigate
      to={maySee('member.list') ? '/a/$account/team' : '/a/$account/billing'}
      params={params}
      replace
    />
  );
}
