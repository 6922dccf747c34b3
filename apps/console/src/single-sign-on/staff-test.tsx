import { type AdminOutputs, isGatehouseError } from '@gatehouse/client-sdk/admin';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { StatusNote } from '@gatehouse/ui/parts/status-note';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { STAFF_SSO_KEY } from './staff-connection-dialogs.js';
import { t } from './words.js';

type Test = AdminOutputs['staffSso']['testResult']['data'];

/** The result of a connection's test, as long as the service keeps it. */
export function StaffTest({ testId }: { readonly testId: number }): ReactElement {
  const answer = useQuery({
    queryKey: [...STAFF_SSO_KEY, 'test', testId],
    queryFn: async ({ signal }) =>
      (await gatehouse.api.staffSso.testResult.query({ testId }, { signal })).data,
  });
  return (
    <Card title={t('staffTest.title')}>
      {isGatehouseError(answer.error, 'not_found') ? (
        <p className="p-3 text-quiet">{t('staffTest.gone')}</p>
      ) : (
        <QueryView answer={answer} isPart>
          {(test) => <Told test={test} />}
        </QueryView>
      )}
    </Card>
  );
}

const PERSONS = {
  subject: 'staffTest.subject',
  address: 'staffTest.address',
  new: 'staffTest.refused',
  refused: 'staffTest.refused',
} as const;

function Told({ test: { state, checks, claims, mapping } }: { readonly test: Test }): ReactElement {
  const tones = { waiting: 'pending', passed: 'ok', failed: 'error' } as const satisfies Readonly<
    Record<Test['state'], StatusTone>
  >;
  const words = {
    waiting: 'staffTest.waiting',
    passed: 'staffTest.passed',
    failed: 'staffTest.failed',
  } as const;
  return (
    <div className="flex flex-col gap-5 p-3">
      <StatusNote tone={tones[state]} title={t(words[state])}>
        {mapping === null ? null : (
          <p>
            <bdi className="font-semibold wrap-anywhere">{mapping.email ?? mapping.subject}</bdi>{' '}
            {t(PERSONS[mapping.person])}
          </p>
        )}
      </StatusNote>
      <ul
        aria-label={t('staffTest.checks')}
        className="divide-y divide-line border-y border-line empty:hidden"
      >
        {checks.map(({ check, passed, detail }) => (
          <li key={check} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 py-2">
            <span className="pt-0.5">
              <StatusIcon tone={passed ? 'ok' : 'error'} />
            </span>
            <p className="min-w-0 wrap-anywhere">
              <code lang="en" translate="no" className="font-mono">
                {check}
              </code>{' '}
              <span className={passed ? 'text-quiet' : 'font-semibold text-brick'}>
                {t(passed ? 'staffTest.ok' : 'staffTest.notOk')}
              </span>{' '}
              {detail === null ? null : (
                <span lang="en" className="text-quiet">
                  {detail}
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
      {Object.keys(claims).length === 0 ? null : (
        <section aria-label={t('staffTest.claims')} className="flex flex-col gap-2">
          <h3 className="font-semibold">{t('staffTest.claims')}</h3>
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
