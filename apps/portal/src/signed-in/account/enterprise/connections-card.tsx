import { Card } from '@gatehouse/ui/parts/card';
import { RowMark } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { usePlace } from '../account-place.js';
import { type Connection, certificateEnd, kindName, type Sso, statusOf, useSso } from './sso-data.js';
import { t } from './words.js';

/** The connections of the account with identity providers, each with its state. */
export function ConnectionsCard(): ReactElement {
  const { accountId } = usePlace();
  const account = String(accountId);
  const answer = useSso();
  const next = answer.data?.data.next ?? null;
  return (
    <Card
      title={t('ssoList.title')}
      aside={
        next === null ? undefined : (
          <Link
            to="/a/$account/settings/directory/new"
            params={{ account }}
            className="inline-flex min-h-10 items-center rounded-small border border-edge bg-card px-3 font-semibold hover:bg-well rows:min-h-8"
          >
            {t('ssoList.add')}
          </Link>
        )
      }
    >
      <QueryView answer={answer} isPart>
        {({ data: sso }) => (
          <>
            <p className="p-3 text-quiet">{t('ssoList.lead')}</p>
            {sso.connections.length === 0 ? (
              <p className="border-t border-line p-3 text-quiet">{t('ssoList.none')}</p>
            ) : (
              <ul className="divide-y divide-line border-t border-line">
                {sso.connections.map((connection) => (
                  <ConnectionRow key={connection.id} connection={connection} sso={sso} account={account} />
                ))}
              </ul>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

function ConnectionRow({
  connection,
  sso,
  account,
}: {
  readonly connection: Connection;
  readonly sso: Sso;
  readonly account: string;
}): ReactElement {
  const { id, name, kind } = connection;
  const { tone, title } = statusOf(connection, sso);
  const certificate = certificateEnd(connection);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 px-3 py-2.5">
      <span className="pt-0.5">
        <RowMark tone={certificate?.isSoon === true ? 'pending' : tone} />
      </span>
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p>
          <Link
            to="/a/$account/settings/directory/$connection"
            params={{ account, connection: String(id) }}
            className="font-semibold text-harbour underline decoration-line underline-offset-4 hover:decoration-current"
          >
            <bdi>{name}</bdi>
          </Link>
        </p>
        <p className="text-note text-quiet">
          {kindName(kind)} · {title}
          {certificate === undefined
            ? null
            : ` · ${t('ssoShown.certificate', { day: shownDay(certificate.endsAt) })}`}
        </p>
      </div>
    </li>
  );
}
