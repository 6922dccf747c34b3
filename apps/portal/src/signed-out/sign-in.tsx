import { isGatehouseError, isSecondFactorRequired, startSocialSignIn } from '@gatehouse/client-sdk';
import { autofillPasskey, signInWithPasskey } from '@gatehouse/client-sdk/passkeys';
import type { MutationState } from '@gatehouse/ui/call/mutation-state';
import { explainError, useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { AddressField, PasswordField } from '@gatehouse/ui/form/text-field';
import { shownLanguage } from '@gatehouse/ui/messages/language';
import { t as ofParts } from '@gatehouse/ui/messages/translate';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { DemoLogins } from '@gatehouse/ui/parts/demo-logins';
import { Link } from '@gatehouse/ui/parts/link';
import { rich } from '@gatehouse/ui/parts/rich';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { keepingNext, SCREENS } from '../links.js';
import { keepFlowAtProvider } from '../provider-flow.js';
import { keep, takeKept } from '../tab-storage.js';
import { AuthLayout } from './auth-layout.js';
import { enter } from './begin-session.js';
import { type Company, domainIn, findCompany, isSameStart, leaveForCompany } from './company-sign-in.js';
import { lastMethod, recordMethod } from './last-method.js';
import { mountScreen } from './mount-screen.js';
import { ProviderMark } from './provider-mark.js';
import { PROVIDER_NAMES } from './provider-names.js';
import { type Settings, useSettings } from './settings.js';
import { SignedInNote } from './signed-in-note.js';
import { t } from './words.js';

const KINDS = { owner: 'demo.owner', member: 'demo.member' } as const;

/** The people of the demonstration data, as whom anybody can sign in after a development start. */
function Demonstration({
  of: { logins, password, key },
  mutation,
}: {
  readonly of: NonNullable<Settings['demonstration']>;
  readonly mutation: MutationState;
}): ReactElement {
  return (
    <DemoLogins
      title={t('demo.title')}
      text={t('demo.text')}
      logins={logins.map(({ email, kind }) => ({ email, who: t(KINDS[kind]) }))}
      linkKey={key}
      isBusy={mutation.isBusy}
      onSignIn={(email) =>
        mutation.send((signal) => enter(() => gatehouse.signIn({ email, password }, { signal })))
      }
    />
  );
}

/** The divider between two alternatives. */
function Or(): ReactElement {
  return (
    <div className="flex items-center gap-3 text-note text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t('or')}
    </div>
  );
}

function continueWith({ name }: Company): string {
  return name === undefined ? ofParts('ui.companySignIn') : t('company.continue', { name });
}

/** In place of the password, if the company has its own sign-in. */
function ByCompany({
  company,
  isBusy,
  onContinue,
  onOtherwise,
}: {
  readonly company: Company;
  readonly isBusy: boolean;
  readonly onContinue: () => void;
  readonly onOtherwise: () => void;
}): ReactElement {
  const { name, isRequired } = company;
  return (
    <div className="flex flex-col gap-3">
      <p role="status">
        {isRequired || name === undefined ? t('company.leadRequired') : t('company.lead', { name })}
      </p>
      {/* It submits no form: after a refused passkey there may be no address. */}
      <Button name="company" kind="primary" isWide isBusy={isBusy} onClick={onContinue}>
        {continueWith(company)}
      </Button>
      <Button isWide isBusy={isBusy} onClick={onOtherwise}>
        {t(isRequired ? 'company.exempt' : 'company.password')}
      </Button>
    </div>
  );
}

/** What is known of the address. */
interface Found {
  readonly company?: Company;
  /** The domain for which it was found; undefined if a passkey was refused without an address. */
  readonly domain?: string | undefined;
  /**
   * Whether a password was already typed, or filled in by the browser. Its field then stays, although nobody has chosen that yet.
   */
  readonly hasPassword?: boolean;
}

/** How somebody signed in last in this browser, before this page was opened. */
const last = lastMethod();

const LAST_USED = 'last-used';

/** Marks the method that was used last in this browser. It describes its button, and is no part of its name. */
function LastUsed({
  method,
  isNamed = false,
}: {
  readonly method: string;
  /** Whether it is part of the name after all, because a link has no description. */
  readonly isNamed?: boolean;
}): ReactElement | null {
  if (method !== last) return null;
  return (
    <span
      id={LAST_USED}
      aria-hidden={!isNamed}
      className="rounded-full border border-current px-1.5 text-note font-normal"
    >
      {t('signIn.lastUsed')}
    </span>
  );
}

const describing = (method: string) => (method === last ? { 'aria-describedby': LAST_USED } : {});

/** Whether the reader has just signed out in this tab. */
const hasSignedOut = takeKept('signedOut') !== undefined;

function SignIn(): ReactElement {
  const { passkeys, emailSignIn, providers, demonstration } = useSettings();
  const mutation = useMutationState('email', 'password');
  const { send, fail } = mutation;
  const fields = useRef<HTMLDivElement>(null);
  const [{ company, domain, hasPassword = false }, setFound] = useState<Found>({});
  /** The start of the company sign-in that the person chose not to use. The choice stays while the address is edited. */
  const [declined, setDeclined] = useState<string>();
  const isOtherwise =
    company !== undefined && declined !== undefined && isSameStart(company.startUrl, declined);
  const isByCompany = company !== undefined && !isOtherwise && !hasPassword;
  // Sent for a person who is not exempt, it would make a right password fail.
  const withoutSso = company?.isRequired === true && isOtherwise;

  const fieldOf = (name: string) => fields.current?.querySelector<HTMLInputElement>(`input[name=${name}]`);

  /** Looks up the company of the address while the person continues with the password. */
  async function look(address: string): Promise<void> {
    const known = await findCompany(address);
    // By now the address may be another one.
    const domain = domainIn(address);
    if (known === undefined || domainIn(fieldOf('email')?.value ?? '') !== domain) return;
    const hasPassword = (fieldOf('password')?.value ?? '') !== '';
    setFound((before) =>
      before.company !== undefined && before.domain === domain
        ? { ...before, hasPassword: before.hasPassword === true && hasPassword }
        : { company: known, domain, hasPassword },
    );
  }

  /** Signs in, or says that the company's sign-in is required. */
  async function entering(signIn: () => Promise<unknown>, method: string): Promise<void> {
    try {
      await enter(async () => {
        try {
          await signIn();
        } catch (error) {
          // The first step was right.
          if (isSecondFactorRequired(error)) recordMethod(method);
          throw error;
        }
        recordMethod(method);
      });
    } catch (error) {
      const startUrl = isGatehouseError(error, 'sso_required') ? error.data.startUrl : undefined;
      if (startUrl === undefined) throw error;
      const domain = domainIn(fieldOf('email')?.value ?? '');
      setFound(({ company: before }) => {
        const known = before !== undefined && isSameStart(before.startUrl, startUrl) ? before : {};
        return { company: { ...known, startUrl, isRequired: true }, domain };
      });
      setDeclined(undefined);
      fail(undefined);
    }
  }

  useEffect(() => {
    // The focused element is gone.
    if (company !== undefined && document.activeElement === document.body)
      fields.current
        ?.querySelector<HTMLElement>(isByCompany ? 'button[name=company]' : 'input[name=password]')
        ?.focus();
  }, [isByCompany]);

  useEffect(() => {
    if (!passkeys) return undefined;
    const left = new AbortController();
    entering(async () => {
      const session = await autofillPasskey(gatehouse, { signal: left.signal, withoutSso });
      // It was ended, or the browser offers none.
      if (session === undefined) throw new DOMException('No passkey', 'AbortError');
    }, 'passkey').catch((error: unknown) => {
      if (isGatehouseError(error)) fail(explainError(error));
    });
    return () => left.abort();
  }, [passkeys, fail, withoutSso]);

  return (
    <AuthLayout title={t('signIn.title')}>
      {hasSignedOut ? <Banner tone="ok">{t('signIn.signedOut')}</Banner> : null}
      <SignedInNote />
      {demonstration === undefined ? null : <Demonstration of={demonstration} mutation={mutation} />}
      <div ref={fields}>
        <Form
          mutation={mutation}
          onSend={({ email = '', password = '' }, signal) =>
            isByCompany
              ? leaveForCompany(company)
              : entering(
                  () =>
                    gatehouse.signIn(
                      { email: email.trim(), password, ...(withoutSso ? { withoutSso } : {}) },
                      { signal },
                    ),
                  'password',
                )
          }
        >
          <AddressField
            name="email"
            label={t('field.email')}
            autoComplete="username webauthn"
            required
            onBlur={({ currentTarget: { value } }) => void look(value)}
            onInput={({ currentTarget: { value } }) => {
              if (company !== undefined && domainIn(value) !== domain) setFound({});
            }}
            onKeyDown={(event) => {
              const { value } = event.currentTarget;
              if (event.key !== 'Enter' || isByCompany || isOtherwise || fieldOf('password')?.value !== '')
                return;
              if (domainIn(value) === undefined) return;
              event.preventDefault();
              send(async () => {
                const known = await findCompany(value);
                if (known !== undefined) await leaveForCompany(known);
                fieldOf('password')?.focus();
              });
            }}
          />
          {isByCompany ? (
            <ByCompany
              company={company}
              isBusy={mutation.isBusy}
              onContinue={() => send(() => leaveForCompany(company))}
              onOtherwise={() => setDeclined(company.startUrl)}
            />
          ) : (
            <>
              <PasswordField
                name="password"
                label={t('field.password')}
                autoComplete="current-password"
                required
              />
              <div className="flex flex-col gap-3">
                <Button
                  type="submit"
                  kind="primary"
                  isWide
                  isBusy={mutation.isBusy}
                  {...describing('password')}
                >
                  {t('signIn.submit')}
                  <LastUsed method="password" />
                </Button>
                <p>
                  <Link
                    href={SCREENS.forgot}
                    onClick={({ currentTarget }) =>
                      keep('address', currentTarget.closest('form')?.querySelector('input')?.value)
                    }
                  >
                    {t('signIn.forgot')}
                  </Link>
                </p>
                {company === undefined ? null : (
                  <Button
                    isWide
                    isBusy={mutation.isBusy}
                    onClick={() => send(() => leaveForCompany(company))}
                  >
                    {continueWith(company)}
                  </Button>
                )}
              </div>
            </>
          )}
        </Form>
      </div>
      {passkeys || providers.length > 0 || emailSignIn ? <Or /> : null}
      <div className="flex flex-col gap-2 empty:hidden">
        {passkeys ? (
          <Button
            isWide
            isBusy={mutation.isBusy}
            {...describing('passkey')}
            onClick={() =>
              send((signal) =>
                entering(() => signInWithPasskey(gatehouse, { signal, withoutSso }), 'passkey'),
              )
            }
          >
            {t('signIn.passkey')}
            <LastUsed method="passkey" />
          </Button>
        ) : null}
        {emailSignIn ? (
          <ButtonLink isWide href={keepingNext(SCREENS.code)}>
            {t('signIn.mail')}
            <LastUsed method="email" isNamed />
          </ButtonLink>
        ) : null}
        {providers.length > 0 ? (
          <ul aria-label={t('signIn.providers')} className="grid grid-cols-2 gap-2 rows:grid-cols-3">
            {providers.map((provider) => (
              <li key={provider}>
                <Button
                  isWide
                  isBusy={mutation.isBusy}
                  {...describing(provider)}
                  onClick={() => {
                    keepFlowAtProvider({ search: location.search, provider });
                    startSocialSignIn(gatehouse, provider, undefined, { locale: shownLanguage() });
                  }}
                >
                  <ProviderMark provider={provider} />
                  {PROVIDER_NAMES[provider]}
                  <LastUsed method={provider} />
                </Button>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <p>
        {rich(t('signIn.register'), {
          register: (inner) => <Link href={keepingNext(SCREENS.register)}>{inner}</Link>,
        })}
      </p>
    </AuthLayout>
  );
}

// An unfinished sign-in must leave nothing that the next person would be shown.
keep('connected', undefined);
keep('test', undefined);

void mountScreen(SignIn);
