import { useSending } from '@gatehouse/ui/failure/use-sending';
import { AddressField } from '@gatehouse/ui/form/address-field';
import { CodeField } from '@gatehouse/ui/form/code-field';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Form } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { forgetFlow, keepFlow, keptFlow } from '../kept-flow.js';
import { keepingNext, SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { enter } from './enter.js';
import { Entrance } from './entrance.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

/** What the link in the mail brought. */
const token = takeLink().get('email');

function Code(): ReactElement {
  const [flow, setFlow] = useState(keptFlow);
  const [link, setLink] = useState(token);
  const [isElsewhere, setElsewhere] = useState(token !== null && flow === undefined);
  const restart = () => {
    // The flow is kept: asked with it, the codes of earlier mails count on.
    setFlow(undefined);
    setLink(null);
    setElsewhere(false);
  };
  if (isElsewhere) return <Elsewhere onRestart={restart} />;
  if (flow === undefined) return <Ask onAsked={() => setFlow(keptFlow())} />;
  if (link !== null) return <ByLink flow={flow.flow} token={link} onRestart={restart} />;
  return <ByCode flow={flow.flow} email={flow.email} onRestart={restart} />;
}

/** Signs in, once: a flow that is used up is forgotten. */
async function signInBy(
  input: { readonly flow: string } & ({ readonly code: string } | { readonly token: string }),
) {
  await gatehouse.signIn(input);
  forgetFlow();
}

function Ask({ onAsked }: { readonly onAsked: () => void }): ReactElement {
  const sending = useSending('email');
  return (
    <Entrance title={t('code.title')} lead={t('code.lead')}>
      <Form
        sending={sending}
        onSend={async ({ email = '' }, signal) => {
          const address = email.trim();
          const asked = { email: address, flow: keptFlow()?.flow };
          const { data } = await gatehouse.api.signIn.requestEmail.mutate(asked, { signal });
          keepFlow({ flow: data.flow, email: address });
          onAsked();
        }}
      >
        <AddressField name="email" label={t('field.email')} autoComplete="username" required />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Link href={keepingNext(SCREENS.signIn)}>{t('back.signIn')}</Link>
          <Button type="submit" kind="primary" isBusy={sending.isBusy}>
            {t('code.send')}
          </Button>
        </div>
      </Form>
    </Entrance>
  );
}

function ByCode({
  flow,
  email,
  onRestart,
}: {
  readonly flow: string;
  readonly email: string | undefined;
  readonly onRestart: () => void;
}): ReactElement {
  const sending = useSending('code');
  return (
    <Entrance
      title={t('code.sent')}
      lead={
        email === undefined
          ? t('code.sentLeadElsewhere')
          : rich(t('code.sentLead'), {
              email: () => <bdi className="font-semibold text-ink">{shownAddress(email)}</bdi>,
            })
      }
      state="ajar"
      takesFocus
    >
      <Form sending={sending} onSend={({ code = '' }) => enter(() => signInBy({ flow, code: code.trim() }))}>
        <CodeField name="code" label={t('code.field')} digits={8} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Button onClick={onRestart}>{t('code.again')}</Button>
          <Button type="submit" kind="primary" isBusy={sending.isBusy}>
            {t('signIn.submit')}
          </Button>
        </div>
      </Form>
    </Entrance>
  );
}

function ByLink({
  flow,
  token: link,
  onRestart,
}: {
  readonly flow: string;
  readonly token: string;
  readonly onRestart: () => void;
}): ReactElement {
  const sending = useSending();
  const { send } = sending;
  useEffect(() => {
    send(() => enter(() => signInBy({ flow, token: link })));
  }, []);
  if (sending.failure === undefined) return <Entrance title={t('code.entering')} />;
  return (
    <Entrance title={t('code.refused')} state="shut" takesFocus>
      <FailureNote failure={sending.failure} />
      <div>
        <Button kind="primary" onClick={onRestart}>
          {t('code.another')}
        </Button>
      </div>
    </Entrance>
  );
}

function Elsewhere({ onRestart }: { readonly onRestart: () => void }): ReactElement {
  return (
    <Entrance title={t('code.elsewhere')} lead={t('code.elsewhereLead')} state="shut" takesFocus>
      <div>
        <Button kind="primary" onClick={onRestart}>
          {t('code.another')}
        </Button>
      </div>
    </Entrance>
  );
}

void mountScreen(Code);
