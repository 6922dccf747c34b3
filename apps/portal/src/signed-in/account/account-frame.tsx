import { LevelScreen } from '@gatehouse/ui/frame/level-screen';
import { Link } from '@gatehouse/ui/parts/link';
import { ProductContext, Screen, useProduct } from '@gatehouse/ui/screen/screen';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { Navigate, Outlet, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { gatehouse } from '../../client.js';
import { interactionBefore, SCREENS } from '../../links.js';
import { isReadOnly, type OwnPlace, placesOf, useMe } from '../session/me.js';
import { PlaceContext, recordAccount, usePlace } from './account-place.js';
import { t } from './words.js';

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

/** For an account that asks for more than this session has shown. */
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

/** Returns to the page of an application, which can go on now. */
function Return({ to }: { readonly to: string }): null {
  useEffect(() => void leaveTo(to, { forGood: true }), [to]);
  return null;
}

/** What an account that is open shows. */
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
  useEffect(() => {
    if (accountId !== undefined) recordAccount(accountId);
  }, [accountId]);
  if (place === undefined) return <NoAccount />;
  return (
    <PlaceContext key={place.accountId} value={place}>
      <ProductContext value={{ ...product, name: `${place.accountName} · ${product.name}` }}>
        {place.requires === null ? <Open /> : <Level place={place} level={place.requires.level} />}
      </ProductContext>
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
