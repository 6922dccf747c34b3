import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form, StillAsking } from '@gatehouse/ui/form/form';
import { CodeField, PasswordField } from '@gatehouse/ui/form/text-field';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Link } from '@gatehouse/ui/parts/link';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { SCREENS } from '../links.js';
import { takeLink } from '../take-link.js';
import { AuthLayout } from './auth-layout.js';
import { Loaded, useLoad } from './loaded.js';
import { mountScreen } from './mount-screen.js';
import { t } from './words.js';

const brought = takeLink();
const token = brought.get('token');
/** When the data of a member who deleted themselves is erased, and whether a mail has the link to restore it. */
const until = brought.get('until') ?? '';
const isLinkMailed = brought.get('mailed') !== 'no';

function Restore(): ReactElement {
  if (token !== null) return <ByLink token={token} />;
  if (until === 'unknown') return <DeletedUnsure />;
  if (!Number.isNaN(Date.parse(until))) return <Deleted />;
  return (
    <AuthLayout title={t('restore.refused')} lead={t('restore.refusedLead')} tone="error">
      <p>
        <Link href={SCREENS.signIn}>{t('back.signIn')}</Link>
      </p>
    </AuthLayout>
  );
}

function Deleted(): ReactElement {
  const lead = t(isLinkMailed ? 'restore.deletedLead' : 'restore.deletedNoMail', { day: shownDay(until) });
  return (
    <AuthLayout title={t('restore.deleted')} lead={lead} tone="error" takesFocus>
      <p>
        <Link href={SCREENS.register}>{t('register.title')}</Link>
      </p>
    </AuthLayout>
  );
}

/** The answer was lost, and the session is over. */
function DeletedUnsure(): ReactElement {
  const lead = t(isLinkMailed ? 'restore.unsureLead' : 'restore.unsureNoMail');
  return (
    <AuthLayout title={t('restore.unsure')} lead={lead} tone="pending" takesFocus>
      <p>
        <Link href={SCREENS.signIn}>{t('back.signIn')}</Link>
      </p>
    </AuthLayout>
  );
}

function ByLink({ token: link }: { readonly token: string }): ReactElement {
  const details = useLoad(() => gatehouse.api.member.restorationDetails.query({ token: link }));
  const [isBack, setBack] = useState(false);
  const [isMailed, setMailed] = useState(false);
  if (isBack || details.data?.isUsed === true) return <Back />;
  return (
    <Loaded
      from={details}
      refused={t('restore.refused')}
      again={
        <>
          {t('restore.refusedLead')} <Link href={SCREENS.signIn}>{t('back.signIn')}</Link>
        </>
      }
    >
      {({ erasedAt }) => (
        <AuthLayout
          title={t('restore.title')}
          lead={t('restore.lead', { day: shownDay(erasedAt) })}
          tone="pending"
        >
          {isMailed ? (
            <ByCode link={link} onBack={() => setBack(true)} />
          ) : (
            <ByPassword link={link} onBack={() => setBack(true)} onMailed={() => setMailed(true)} />
          )}
        </AuthLayout>
      )}
    </Loaded>
  );
}

function ByPassword({
  link,
  onBack,
  onMailed,
}: {
  readonly link: string;
  readonly onBack: () => void;
  readonly onMailed: () => void;
}): ReactElement {
  const mutation = useMutationState('password');
  const mailing = useMutationState();
  return (
    <>
      <Form
        mutation={mutation}
        onSend={async ({ password = '' }, signal) => {
          await gatehouse.api.member.restoreOwn.mutate({ token: link, password }, { signal });
          onBack();
        }}
      >
        <PasswordField name="password" label={t('field.password')} autoComplete="current-password" required />
        <Button type="submit" kind="primary" isWide isBusy={mutation.isBusy}>
          {t('restore.submit')}
        </Button>
      </Form>
      <p className="text-quiet">{t('restore.noPassword')}</p>
      {mailing.failure === undefined ? null : <FailureNote failure={mailing.failure} />}
      <Button
        isWide
        isBusy={mailing.isBusy}
        onClick={() =>
          mailing.send(async (signal) => {
            await mailCode(link, signal);
            onMailed();
          })
        }
      >
        {t('restore.mailCode')}
      </Button>
      <StillAsking mutation={mailing} />
    </>
  );
}

/** The call without a proof mails a code, and says that one is needed. */
async function mailCode(link: string, signal: AbortSignal): Promise<void> {
  try {
    await gatehouse.api.member.restoreOwn.mutate({ token: link }, { signal });
  } catch (error) {
    if (!isGatehouseError(error, 'proof_required')) throw error;
  }
}

function ByCode({ link, onBack }: { readonly link: string; readonly onBack: () => void }): ReactElement {
  const mutation = useMutationState('emailCode');
  return (
    <Form
      mutation={mutation}
      onSend={async ({ emailCode = '' }, signal) => {
        const code = emailCode.trim();
        await gatehouse.api.member.restoreOwn.mutate({ token: link, emailCode: code }, { signal });
        onBack();
      }}
    >
      <p>{t('restore.mailed')}</p>
      <CodeField name="emailCode" label={t('field.code')} digits={8} />
      <Button type="submit" kind="primary" isWide isBusy={mutation.isBusy}>
        {t('restore.submit')}
      </Button>
    </Form>
  );
}

function Back(): ReactElement {
  return (
    <AuthLayout title={t('restore.back')} lead={t('restore.backLead')} tone="ok" takesFocus>
      <div>
        <ButtonLink isWide kind="primary" href={SCREENS.signIn}>
          {t('signIn.submit')}
        </ButtonLink>
      </div>
    </AuthLayout>
  );
}

void mountScreen(Restore);
