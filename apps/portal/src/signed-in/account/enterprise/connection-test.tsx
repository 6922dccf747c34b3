import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { StatusNote } from '@gatehouse/ui/parts/status-note';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { usePlace } from '../account-place.js';
import { nameOfRole, useSsoKey } from './sso-data.js';
import { t } from './words.js';

type Test = MainOutputs['sso']['testResult']['data'];

type Check = Test['checks'][number]['check'];

/** What a check tests, and what to do if it fails. */
const CHECKS = {
  provider: ['check.provider', 'mend.provider'],
  discovery: ['check.discovery', 'mend.discovery'],
  answer: ['check.answer', 'mend.answer'],
  token: ['check.token', 'mend.token'],
  signature: ['check.signature', 'mend.signature'],
  issuer: ['check.issuer', 'mend.issuer'],
  audience: ['check.audience', 'mend.audience'],
  recipient: ['check.recipient', 'mend.recipient'],
  request: ['check.request', 'mend.request'],
  times: ['check.times', 'mend.times'],
  nonce: ['check.request', 'mend.request'],
  subject: ['check.subject', 'mend.subject'],
  userinfo: ['check.userinfo', 'mend.userinfo'],
  address: ['check.address', 'mend.address'],
  domain: ['check.domain', 'mend.domain'],
  member: ['check.member', 'mend.member'],
  logout: ['check.answer', 'mend.answer'],
} as const satisfies Readonly<Record<Check, readonly [string, string]>>;

/** How often a page looks whether the test has ended in another tab. */
const LOOKS_EVERY_MS = 3_000;

/** The result of a test, as long as the service keeps it. */
export function TestCard({ testId }: { readonly testId: number }): ReactElement {
  const { api, key } = usePlace();
  const queries = useQueryClient();
  const ssoKey = useSsoKey();
  const answer = useQuery({
    queryKey: [...key, 'ssoTest', testId],
    queryFn: async ({ signal }) => (await api.sso.testResult.query({ testId }, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? LOOKS_EVERY_MS : false),
  });
  const state = answer.data?.state;
  useEffect(() => {
    // A passed test is what allows the connection to be activated.
    if (state === 'passed') void queries.invalidateQueries({ queryKey: ssoKey });
  }, [state]);
  return (
    <Card title={t('test.title')}>
      {isGatehouseError(answer.error, 'not_found') ? (
        <p className="p-3 text-quiet">{t('test.gone')}</p>
      ) : (
        <QueryView answer={answer} isPart>
          {(test) => <Told test={test} />}
        </QueryView>
      )}
    </Card>
  );
}

function Told({ test }: { readonly test: Test }): ReactElement {
  const { state, checks, claims, mapping } = test;
  const { tone, title, lead } = verdictOf(test);
  return (
    <div className="flex flex-col gap-5 p-3">
      <StatusNote tone={tone} title={title}>
        <p>{lead}</p>
      </StatusNote>
      {state === 'waiting' ? null : (
        <section aria-label={t('test.checks')} className="flex flex-col gap-2">
          <h3 className="font-semibold">{t('test.checks')}</h3>
          <ul className="divide-y divide-line border-y border-line">
            {checks.map(({ check, passed, detail }) => (
              <li key={check} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 py-2">
                <span className="pt-0.5">
                  <StatusIcon tone={passed ? 'ok' : 'error'} />
                </span>
                <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
                  <p>
                    {t(CHECKS[check][0])}{' '}
                    <span className={passed ? 'text-quiet' : 'font-semibold text-brick'}>
                      {t(passed ? 'check.passed' : 'check.failed')}
                    </span>
                  </p>
                  {passed ? null : <p className="max-w-[44rem]">{t(CHECKS[check][1])}</p>}
                  {passed || detail === null ? null : (
                    <p className="text-note text-quiet">
                      {t('check.detail')}{' '}
                      <code lang="en" translate="no" className="font-mono">
                        {detail}
                      </code>
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {mapping === null ? null : <Mapped mapping={mapping} />}
      {Object.keys(claims).length === 0 ? null : (
        <section aria-label={t('claims.title')} className="flex flex-col gap-2">
          <h3 className="font-semibold">{t('claims.title')}</h3>
          <p className="text-note text-quiet">{t('claims.lead')}</p>
          <dl className="divide-y divide-line border-y border-line" translate="no">
            {Object.entries(claims).map(([name, values]) => (
              <div key={name} className="grid gap-x-4 py-2 rows:grid-cols-[14rem_minmax(0,1fr)]">
                <dt className="font-mono text-quiet wrap-anywhere">{name}</dt>
                {values.map((value) => (
                  <dd key={value} className="wrap-anywhere rows:col-start-2">
                    <bdi>{value}</bdi>
                  </dd>
                ))}
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

function verdictOf({ state, checks }: Test): { tone: StatusTone; title: string; lead: string } {
  if (state === 'waiting') return { tone: 'pending', title: t('test.waiting'), lead: t('test.waitingLead') };
  if (state === 'failed') return { tone: 'error', title: t('test.failed'), lead: t('test.failedLead') };
  return checks.every(({ passed }) => passed)
    ? { tone: 'ok', title: t('test.passed'), lead: t('test.passedLead') }
    : { tone: 'pending', title: t('test.passedBut'), lead: t('test.passedButLead') };
}

const PERSONS = {
  subject: 'mapping.subject',
  address: 'mapping.address',
  new: 'mapping.new',
  refused: 'mapping.refused',
} as const;

/** What a sign-in would make of the person. */
function Mapped({ mapping }: { readonly mapping: NonNullable<Test['mapping']> }): ReactElement {
  const { subject, email, roleType, person } = mapping;
  const role = nameOfRole(roleType);
  return (
    <section aria-label={t('mapping.title')} className="flex flex-col gap-2">
      <h3 className="font-semibold">{t('mapping.title')}</h3>
      <p>
        <bdi className="font-semibold wrap-anywhere">{email ?? subject}</bdi>
      </p>
      <p className="max-w-[44rem]">
        {t(PERSONS[person])} {person === 'refused' ? '' : t('mapping.role', { role })}
      </p>
    </section>
  );
}
