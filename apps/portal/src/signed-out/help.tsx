import { Card } from '@gatehouse/ui/parts/card';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import type { ReactElement } from 'react';
import { SCREENS } from '../links.js';
import { AuthLayout } from './auth-layout.js';
import { mountScreen } from './mount-screen.js';
import { useSettings } from './settings.js';
import { SupportLink } from './support-link.js';
import { t } from './words.js';

const LINKS = {
  forgot: (inner: string) => <Link href={SCREENS.forgot}>{inner}</Link>,
  code: (inner: string) => <Link href={SCREENS.code}>{inner}</Link>,
  recovery: (inner: string) => <Link href={SCREENS.recovery}>{inner}</Link>,
  signIn: (inner: string) => <Link href={SCREENS.signIn}>{inner}</Link>,
  support: (inner: string) => <SupportLink>{inner}</SupportLink>,
};

function Help(): ReactElement {
  const { emailSignIn, brand } = useSettings();
  const answers = [
    { title: t('help.password'), text: t(emailSignIn ? 'help.passwordCode' : 'help.passwordText') },
    { title: t('help.mail'), text: t('help.mailText') },
    { title: t('help.locked'), text: t('help.lockedText') },
    { title: t('help.factor'), text: t('help.factorText') },
  ];
  return (
    <AuthLayout title={t('help.title')} lead={t('help.lead')} isHelp>
      {answers.map(({ title, text }) => (
        <Card key={title} title={title}>
          <p className="px-3 py-2.5">{rich(text, LINKS)}</p>
        </Card>
      ))}
      {brand.support === undefined ? null : <p>{rich(t('help.contact'), LINKS)}</p>}
      <p>
        <Link href={SCREENS.signIn}>{t('back.signIn')}</Link>
      </p>
    </AuthLayout>
  );
}

void mountScreen(Help);
