import { finishSocial, isSecondFactorRequired, type SocialEnd } from '@gatehouse/client-sdk';
import { refusalText } from '@gatehouse/ui/failure/refusals';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { nextScreen, SCREENS } from '../links.js';
import { keep, kept, takeKept } from '../tab-storage.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { enter, withStep } from './begin-session.js';
import { recordMethod, takeDeparture } from './last-method.js';
import { mountScreen } from './mount-screen.js';
import { PROVIDER_NAMES } from './provider-names.js';
import { t } from './words.js';

type PageWindow = NonNullable<Parameters<typeof finishSocial>[1]>;

/** This page with another query in its address. */
function pageWithQuery(query: URLSearchParams): PageWindow {
  return {
    location: {
      href: `${location.origin}${location.pathname}?${query.toString()}`,
      assign: (url) => location.assign(url),
    },
    history: { state: null, replaceState: () => undefined },
    localStorage,
    sessionStorage,
    addEventListener: (type, listener) => window.addEventListener(type, listener),
    removeEventListener: (type, listener) => window.removeEventListener(type, listener),
  };
}

/** This page's URL as the client's helper expects it: with the values in the query, although the address no longer has them. */
const page = pageWithQuery(takeLink());

/** Whether a signed-in member connects the profile. */
const isLinking = takeKept('linking') !== undefined;

/** Where to continue, as the sign-in page that began this was told. */
const search = kept('search') ?? '';

/** The screen with the result of an identity provider's test, if one began in this tab. */
const tested = takeKept('test');

/** The provider to which the person was sent; undefined if this tab does not know. */
const sentTo = takeKept('provider');

const departure = takeDeparture();

/** The provider that the sign-in page marks as the one used last. The sign-in may have begun in another tab. */
const method = sentTo ?? departure;

const providerName = nameOf(sentTo);

/** The provider, if the service has just connected it; undefined for a link that did not begin here. */
const newConnection = sentTo !== undefined && takeLink().get('connected') === sentTo ? sentTo : undefined;

function nameOf(key: string | undefined): string | undefined {
  return Object.entries(PROVIDER_NAMES).find(([known]) => known === key)?.[1];
}

/** What happened at the provider, named where it is known. */
function refusedBy(): string {
  if (providerName === undefined) return t(isLinking ? 'social.declined' : 'social.refusedLead');
  return t(isLinking ? 'social.declinedBy' : 'social.refusedBy', { provider: providerName });
}

/** Why the service or the provider refused a sign-in; undefined for reasons without a sentence. */
function refusalOf(reason: string): string | undefined {
  if (reason === 'access_denied' && providerName !== undefined)
    return t('social.canceledAt', { provider: providerName });
  // Its sentence is for a provider of payments.
  return reason === 'provider_failed' ? undefined : refusalText(reason);
}

/** Ends the flow, and remembers how somebody signed in, although a second step may be due. A company has no button to mark. */
async function recording(finish: () => Promise<SocialEnd>): Promise<SocialEnd> {
  try {
    const end = await finish();
    if (end.kind === 'signedIn') recordMethod(method);
    return end;
  } catch (error) {
    if (isSecondFactorRequired(error)) recordMethod(method);
    throw error;
  }
}

function Social(): ReactElement {
  const mutation = useMutationState();
  const [end, setEnd] = useState<SocialEnd | { readonly kind: 'already' }>();
  const { send } = mutation;
  useEffect(() => {
    send(async () => {
      const isTest = takeLink().has('test') || (tested !== undefined && takeLink().has('error'));
      if (isTest) await leaveTo(tested ?? SCREENS.home, { forGood: true });
      // It is connected now, even if a second step is still due.
      keep('connected', newConnection);
      let found: SocialEnd | undefined;
      await withStep(async () => {
        found = await recording(() => finishSocial(gatehouse, page));
      }, search);
      if (found?.kind === 'connected') {
        const connected = new URLSearchParams({ connected: found.connection.provider });
        await leaveTo(`${SCREENS.connections}?${connected.toString()}`, { forGood: true });
      }
      if (found?.kind === 'signedIn') await leaveTo(nextScreen(search));
      const isRepeated = found?.kind === 'refused' && found.reason === 'invalid_state' && !isLinking;
      setEnd(isRepeated && (await isSignedIn()) ? { kind: 'already' } : found);
    });
  }, []);

  if (mutation.failure !== undefined || end?.kind === 'refused' || end?.kind === 'none') {
    const known = end?.kind === 'refused' && !isLinking ? refusalOf(end.reason) : undefined;
    const reason = end?.kind === 'refused' ? (known ?? refusedBy()) : undefined;
    return (
      <AuthLayout
        title={t(isLinking ? 'social.notLinked' : 'social.refused')}
        {...(reason === undefined ? {} : { lead: reason })}
        tone="error"
        takesFocus
      >
        {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
        <div>
          <ButtonLink isWide kind="primary" href={isLinking ? SCREENS.connections : SCREENS.signIn}>
            {t(isLinking ? 'social.backLinking' : 'back.signIn')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  if (end?.kind === 'already') {
    return (
      <AuthLayout title={t('social.already')} lead={t('social.alreadyLead')} tone="ok" takesFocus>
        <div>
          <ButtonLink isWide kind="primary" href={nextScreen(search)}>
            {t('social.goOn')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  if (end?.kind === 'unexpected') {
    return (
      <AuthLayout title={t('social.unexpected')} lead={t('social.unexpectedLead')} tone="pending" takesFocus>
        <div className="flex flex-wrap gap-3">
          <Button
            isWide
            kind="primary"
            isBusy={mutation.isBusy}
            onClick={() =>
              send(() =>
                enter(
                  () => recording(async () => ({ kind: 'signedIn', signedIn: await end.signIn() })),
                  search,
                ),
              )
            }
          >
            {t('social.yes')}
          </Button>
          <ButtonLink isWide href={SCREENS.signIn}>
            {t('social.no')}
          </ButtonLink>
        </div>
      </AuthLayout>
    );
  }
  return <AuthLayout title={t('social.wait')} />;
}

/** A second return from the provider finds the sign-in of the first. */
async function isSignedIn(): Promise<boolean> {
  try {
    await gatehouse.api.session.me.query();
    return true;
  } catch {
    return false;
  }
}

void mountScreen(Social, search);
