import { finishSocial, type SocialEnd } from '@gatehouse/client-sdk';
import { sayRefusal } from '@gatehouse/ui/failure/refusals';
import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { nextScreen, SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { enter, withStep } from './enter.js';
import { Entrance } from './entrance.js';
import { takeLinking } from './linking.js';
import { mountScreen } from './mount-screen.js';
import { pageWithQuery } from './page-with-query.js';
import { t } from './words.js';

/** This page as the helper of the client reads it: what was brought is in a query there, and in the address no more. */
const page = pageWithQuery(takeLink());
/** Whether somebody who is signed in connects the profile. */
const isLinking = takeLinking();

function Social(): ReactElement {
  const sending = useSending();
  const [end, setEnd] = useState<SocialEnd | { readonly kind: 'already' }>();
  const { send } = sending;
  useEffect(() => {
    send(async () => {
      let found: SocialEnd | undefined;
      await withStep(async () => {
        found = await finishSocial(gatehouse, page);
      });
      if (found?.kind === 'connected') {
        const connected = new URLSearchParams({ connected: found.connection.provider });
        await leaveTo(`${SCREENS.connections}?${connected.toString()}`, { forGood: true });
      }
      if (found?.kind === 'signedIn') await leaveTo(nextScreen());
      const isRepeated = found?.kind === 'refused' && found.reason === 'invalid_state' && !isLinking;
      setEnd(isRepeated && (await isSignedIn()) ? { kind: 'already' } : found);
    });
  }, []);

  if (sending.failure !== undefined || end?.kind === 'refused' || end?.kind === 'none') {
    const refused = t(isLinking ? 'social.declined' : 'social.refusedLead');
    const known = end?.kind === 'refused' && !isLinking ? sayRefusal(end.reason) : undefined;
    const reason = end?.kind === 'refused' ? (known ?? refused) : undefined;
    return (
      <Entrance
        title={t(isLinking ? 'social.notLinked' : 'social.refused')}
        {...(reason === undefined ? {} : { lead: reason })}
        state="shut"
        takesFocus
      >
        {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
        <div>
          <ButtonLink kind="primary" href={isLinking ? SCREENS.connections : SCREENS.signIn}>
            {t(isLinking ? 'social.backLinking' : 'back.signIn')}
          </ButtonLink>
        </div>
      </Entrance>
    );
  }
  if (end?.kind === 'already') {
    return (
      <Entrance title={t('social.already')} lead={t('social.alreadyLead')} state="open" takesFocus>
        <div>
          <ButtonLink kind="primary" href={nextScreen()}>
            {t('social.goOn')}
          </ButtonLink>
        </div>
      </Entrance>
    );
  }
  if (end?.kind === 'unexpected') {
    return (
      <Entrance title={t('social.unexpected')} lead={t('social.unexpectedLead')} state="ajar" takesFocus>
        <div className="flex flex-wrap gap-3">
          <Button
            kind="primary"
            isBusy={sending.isBusy}
            onClick={() => send(() => enter(() => end.signIn()))}
          >
            {t('social.yes')}
          </Button>
          <ButtonLink href={SCREENS.signIn}>{t('social.no')}</ButtonLink>
        </div>
      </Entrance>
    );
  }
  return <Entrance title={t('social.wait')} />;
}

/** A return from a provider that came twice finds the sign-in of the first one. */
async function isSignedIn(): Promise<boolean> {
  try {
    await gatehouse.api.session.me.query();
    return true;
  } catch {
    return false;
  }
}

void mountScreen(Social);
