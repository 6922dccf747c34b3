import { isGatehouseError } from '@gatehouse/client-sdk';
import { LevelScreen } from '@gatehouse/ui/frame/level-screen';
import { t as ofParts } from '@gatehouse/ui/messages/translate';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { ProductContext, Screen, useProduct } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { herePath, withNext } from '@gatehouse/ui/session/next-path';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useSyncExternalStore } from 'react';
import { gatehouse } from '../../client.js';
import { interactionBefore, SCREENS } from '../../links.js';
import { startCompanySignIn } from '../../provider-flow.js';
import { isReadOnly, type OwnPlace, placesOf, useMe } from '../session/me.js';
import { PlaceContext, recordAccount, usePlace } from './account-place.js';
import { t } from './words.js';

/** For accounts that are another's, closed or missing, which all look the same. */
export function NoAccount(): ReactElement {
  return (
    <Screen title={t('none.title')} tone="error" lead={t('none.lead')}>
      <p>
        <Link href={SCREENS.home}>{t('none.home')}</Link>
      </p>
    </Screen>
  );
}

/** For an account that requires a higher level than this session has. */
function Level({ place, level }: { readonly place: OwnPlace; readonly level: number }): ReactElement {
  const mayAct = !isReadOnly(useMe());
  return (
    <LevelScreen
      title={t('level.title', { account: place.accountName })}
      level={level}
      add={SCREENS.security}
      mayAct={mayAct}
      ask={(signal) =>
        gatehouse.withAccount(place.accountId).api.subscription.current.query(undefined, { signal })
      }
    />
  );
}

/** Where the sign-in that an account requires begins, known once a call was refused for it; empty if there is none. */
function useSsoStart(accountId: number | undefined): string | undefined {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (onChange) => cache.subscribe(notifyManager.batchCalls(onChange)),
    () => {
      for (const { state } of cache.findAll({ queryKey: ['account', accountId] }))
        if (isGatehouseError(state.error, 'sso_required')) return state.error.data.startUrl ?? '';
      return undefined;
    },
  );
}

/** For an account that requires its company's sign-in of everybody. */
function CompanySignIn({
  place,
  startUrl,
}: {
  readonly place: OwnPlace;
  readonly startUrl: string;
}): ReactElement {
  const mayAct = !isReadOnly(useMe());
  const queries = useQueryClient();
  return (
    <Screen
      title={t('ssoLevel.title', { account: place.accountName })}
      tone="error"
      lead={t(startUrl === '' ? 'ssoLevel.none' : 'ssoLevel.lead')}
      actions={
        <>
          {mayAct && startUrl !== '' ? (
            <Button kind="primary" onClick={() => startCompanySignIn(startUrl, withNext('', herePath()))}>
              {ofParts('ui.companySignIn')}
            </Button>
          ) : null}
          <Button onClick={() => queries.removeQueries({ queryKey: ['account', place.accountId] })}>
            {t('ssoLevel.retry')}
          </Button>
        </>
      }
    />
  );
}

/** Returns to the page of an application, which can continue now. */
function Return({ to }: { readonly to: string }): null {
  useEffect(() => void leaveTo(to, { forGood: true }), [to]);
  return null;
}

/** The content of an open account. */
function Open(): ReactElement {
  const before = interactionBefore();
  return before === undefined ? <Outlet /> : <Return to={before} />;
}

/** Shows the screens of the account that the path names, or says why it cannot. */
export function AccountFrame(): ReactElement {
  const { account } = useParams({ strict: false });
  const place = placesOf(useMe()).find(({ accountId }) => String(accountId) === account);
  const accountId = place?.accountId;
  const product = useProduct();
  const startUrl = useSsoStart(accountId);
  useEffect(() => {
    if (accountId !== undefined) recordAccount(accountId);
  }, [accountId]);
  if (place === undefined) return <NoAccount />;
  return (
    <PlaceContext key={place.accountId} value={place}>
      <ProductContext value={{ ...product, name: `${place.accountName} · ${product.name}` }}>
        {startUrl !== undefined ? (
          <CompanySignIn place={place} startUrl={startUrl} />
        ) : place.requires === null ? (
          <Open />
        ) : (
          <Level place={place} level={place.requires.level} />
        )}
      </ProductContext>
    </PlaceContext>
  );
}

/** Redirects to the first screen of an account that its member may open. */
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
