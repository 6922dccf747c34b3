import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { AddressField, CodeField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../client.js';
import { forgetFlow, keepFlow, keptFlow } from '../kept-flow.js';
import { keepingNext, SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { enter } from './begin-session.js';
import { recordMethod } from './last-method.js';
import { mountScreen } from './mount-screen.js';
import { OutboxNote } from './outbox-note.js';
import { t } from './words.js';

/** The token of the mailed link. */
const token = takeLink().get('email');

function Code(): ReactElement {
  const [flow, setFlow] = useState(keptFlow);
  const [link, setLink] = useState(token);
  const [isElsewhere, setElsewhere] = useState(token !== null && flow === undefined);
  const restart = () => {
    // The flow is kept: a request with it keeps the codes of earlier mails valid.
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
  recordMethod('email');
  forgetFlow();
}

function Ask({ onAsked }: { readonly onAsked: () => void }): ReactElement {
  const mutation = useMutationState('email');
  return (
    <AuthLayout title={t('code.title')} lead={t('code.lead')}>
      <Form
        mutation={mutation}
        onSend={async ({ email = '' }, signal) => {
          const address = email.trim();
          const asked = { email: address, flow: keptFlow()?.flow };
          const { data } = await gatehouse.api.signIn.requestEmail.mutate(asked, { signal });
          keepFlow({ flow: data.flow, email: address });
          onAsked();
        }}
      >
        <AddressField name="email" label={t('field.email')} autoComplete="username" required />
        <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('code.send')}
        </Button>
      </Form>
      <p>
        <Link href={keepingNext(SCREENS.signIn)}>{t('back.signIn')}</Link>
      </p>
    </AuthLayout>
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
  const mutation = useMutationState('code');
  return (
    <AuthLayout
      title={t('code.sent')}
      lead={
        email === undefined
          ? t('code.sentLeadElsewhere')
          : rich(t('code.sentLead'), {
              email: () => <bdi className="font-semibold text-ink">{shownAddress(email)}</bdi>,
            })
      }
      tone="pending"
      takesFocus
    >
      <OutboxNote />
      <Form
        mutation={mutation}
        onSend={({ code = '' }) => enter(() => signInBy({ flow, code: code.trim() }))}
      >
        <CodeField name="code" label={t('code.field')} digits={8} isSentWhenFull />
        <Button isWide type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('signIn.submit')}
        </Button>
        <div>
          <Button onClick={onRestart}>{t('code.again')}</Button>
        </div>
      </Form>
    </AuthLayout>
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
  const mutation = useMutationState();
  const { send } = mutation;
  useEffect(() => {
    send(() => enter(() => signInBy({ flow, token: link })));
  }, []);
  if (mutation.failure === undefined) return <AuthLayout title={t('code.entering')} />;
  return (
    <AuthLayout title={t('code.refused')} tone="error" takesFocus>
      <FailureNote failure={mutation.failure} />
      <div>
        <Button isWide kind="primary" onClick={onRestart}>
          {t('code.another')}
        </Button>
      </div>
    </AuthLayout>
  );
}

function Elsewhere({ onRestart }: { readonly onRestart: () => void }): ReactElement {
  return (
    <AuthLayout title={t('code.elsewhere')} lead={t('code.elsewhereLead')} tone="error" takesFocus>
      <div>
        <Button isWide kind="primary" onClick={onRestart}>
          {t('code.another')}
        </Button>
      </div>
    </AuthLayout>
  );
}

void mountScreen(Code);
