import { refusalText } from '@gatehouse/ui/failure/refusals';
import { Button } from '@gatehouse/ui/parts/button';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

/** The query of the sign-in page in this tab, which says where to go afterwards. */
const KEPT = 'gatehouse.staffSignIn';

/** The end of a sign-in by an identity provider: a token for one use, or the code of the reason why there is none. */
export type ProviderEnd = { readonly token: string } | { readonly code: string };

/**
 * Takes the result of an identity provider's sign-in from the fragment of this page's address, once, and restores where to go
 * afterwards.
 */
export function takeProviderEnd(): ProviderEnd | undefined {
  const told = new URLSearchParams(location.hash.slice(1));
  const [token, code] = [told.get('user'), told.get('error')];
  if (token === null && code === null) return undefined;
  const search = sessionStorage.getItem(KEPT) ?? '';
  sessionStorage.removeItem(KEPT);
  history.replaceState(history.state, '', location.pathname + search);
  return token === null ? { code: code ?? '' } : { token };
}

/** Why a sign-in at an identity provider failed. */
export const providerRefusal = (code: string): string =>
  code === 'account_forbidden'
    ? t('signIn.companyForbidden')
    : ((code === 'provider_failed' ? undefined : refusalText(code)) ?? t('signIn.companyFailed'));

/** The buttons to sign in by the identity providers of the staff. */
export function ProviderButtons({ isBusy }: { readonly isBusy: boolean }): ReactElement | null {
  const offered = useQuery({
    queryKey: ['staff-sso'],
    queryFn: async ({ signal }) => (await gatehouse.api.staffSso.offered.query(undefined, { signal })).data,
    retry: false,
  });
  return (
    <>
      {(offered.data ?? []).map(({ name, startUrl }) => (
        <Button
          key={startUrl}
          isWide
          isBusy={isBusy}
          onClick={() => {
            sessionStorage.setItem(KEPT, location.search);
            void leaveTo(startUrl);
          }}
        >
          {t('signIn.company', { name })}
        </Button>
      ))}
    </>
  );
}
