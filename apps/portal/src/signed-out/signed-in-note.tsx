import { Banner } from '@gatehouse/ui/parts/banner';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { nextScreen } from '../links.js';
import { wasSignedIn } from '../was-signed-in.js';
import { t } from './words.js';

/** Whether an application asks for a new sign-in, so that the existing session is not enough. */
const mustSignInAgain = (): boolean => new URLSearchParams(location.search).has('again');

/**
 * Tells visitors that they are already signed in, and continues unless they must sign in again; the form below is for another
 * person.
 */
export function SignedInNote(): ReactElement | null {
  const [name, setName] = useState<string>();
  useEffect(() => {
    // A request for a new sign-in implies that there is a session, even one that no screen has seen yet.
    if (!wasSignedIn() && !mustSignInAgain()) return;
    gatehouse.api.session.me.query().then(
      // A session begun by a partner or by support does not keep anybody from signing in.
      ({ member, partner, actor }) => {
        if (partner === null && actor === null) setName(member.email ?? member.username);
      },
      () => undefined,
    );
  }, []);
  if (name === undefined) return null;
  const shownName = () => <bdi className="font-semibold">{name}</bdi>;
  if (mustSignInAgain())
    return <Banner tone="pending">{rich(t('signIn.again'), { name: shownName })}</Banner>;
  return (
    <Banner tone="ok">
      {rich(t('signIn.already'), {
        name: shownName,
        goOn: (inner) => <Link href={nextScreen()}>{inner}</Link>,
      })}
    </Banner>
  );
}
