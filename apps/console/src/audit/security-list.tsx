import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { More } from '@gatehouse/ui/list/more';
import { usePages } from '@gatehouse/ui/list/use-pages';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/status-icon';
import { Asked } from '@gatehouse/ui/screen/asked';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { memberKey } from '../member/member-page.js';
import { LINK } from '../shell/link-look.js';
import { t as ofConsole } from '../words.js';
import { actionWords } from './actions/action-words.js';
import { t } from './words.js';

type SecurityEvent = AdminOutputs['securityEvent']['listFor']['data'][number];

/** What happened to the security of a member in the last 90 days, newest first. */
export function SecurityList({ memberId }: { readonly memberId: number }): ReactElement {
  const list = usePages<SecurityEvent>([...memberKey(memberId), 'trail'], (page, signal) =>
    gatehouse.api.securityEvent.listFor.query({ ...page, memberId }, { signal }),
  );
  return (
    <Card title={t('trail.sheet')}>
      <Asked answer={list} isPart>
        {(events) => (
          <>
            {events.length === 0 ? (
              <p role="status" className="p-3 text-quiet">
                {t('trail.none')}
              </p>
            ) : null}
            <ul className="divide-y divide-line">
              {events.map((event) => (
                <Row key={event.id} event={event} />
              ))}
            </ul>
            <More of={list} />
          </>
        )}
      </Asked>
    </Card>
  );
}

const OUTCOMES = { ok: 'login.ok', failed: 'login.failed', locked: 'login.locked' } as const;

function Row({ event }: { readonly event: SecurityEvent }): ReactElement {
  const { at, kind, outcome, address, device, times, actor } = event;
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 p-3 rows:grid-cols-[1rem_10rem_minmax(0,1fr)]">
      <span className="pt-0.5">
        <StatusIcon tone={outcome === 'ok' ? 'ok' : 'error'} />
      </span>
      <p className="text-quiet">
        <time dateTime={at}>{shownTime(at)}</time>
      </p>
      <div className="col-start-2 min-w-0 wrap-anywhere rows:col-start-3">
        <p>
          {kind === 'login' ? (
            <span className="font-semibold">{ofConsole(OUTCOMES[outcome])}</span>
          ) : (
            <bdi className="font-semibold">{actionWords(kind) ?? kind}</bdi>
          )}{' '}
          {times > 1 ? ofConsole('logins.times', { count: times }) : null}
        </p>
        {address === null && device === null ? null : (
          <p className="text-quiet">
            {device === null ? null : deviceName(device)} <bdi className="font-mono">{address}</bdi>
          </p>
        )}
        {actor === null ? null : (
          <p className="text-quiet">
            {t('audit.by')}{' '}
            <Link to="/members/$memberId" params={{ memberId: String(actor.userId) }} className={LINK}>
              <bdi>{actor.name ?? `#${actor.userId}`}</bdi>
            </Link>
          </p>
        )}
      </div>
    </li>
  );
}
