import type { AdminInputs, AdminOutputs } from '@gatehouse/client-sdk/admin';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { At } from '@gatehouse/ui/screen/ago';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { roleWords } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { actionWords } from './actions/action-words.js';
import { saidValue } from './said-value.js';
import { t } from './words.js';

/** A changed field, before and after. */
interface Change {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The changed fields of a line of the audit log. */
function changesOf(before: unknown, after: unknown): readonly Change[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...old.keys(), ...next.keys()])].map((name) => ({
    name,
    from: saidValue(name, old.get(name), roleWords),
    to: saidValue(name, next.get(name), roleWords),
  }));
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  return new Map(Object.entries(typeof value === 'object' ? value : { value }));
}

type Entry = AdminOutputs['audit']['list']['data'][number];

/** Lines of the audit log, newest first. */
export function AuditList({ asked }: { readonly asked: AdminInputs['audit']['list'] }): ReactElement {
  const list = usePages<Entry>(
    ['audit', asked],
    (page, signal) => gatehouse.api.audit.list.query({ ...asked, ...page }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <Card title={t('audit.sheet')}>
      <QueryView answer={list} isPart>
        {(entries) => (
          <div aria-busy={list.isPlaceholderData}>
            {entries.length === 0 ? (
              <p role="status" className="p-3 text-quiet">
                {t(asked?.requestId === undefined ? 'audit.none' : 'audit.noneOfRequest')}
              </p>
            ) : null}
            <ul className="divide-y divide-line">
              {entries.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </ul>
            <More of={list} />
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function Row({ entry }: { readonly entry: Entry }): ReactElement {
  const { at, action, actorId, onBehalfOfId, subjectKind, subjectId, address, before, after } = entry;
  const { actorName, onBehalfOfName, subjectName } = entry;
  const isForOther = onBehalfOfId !== null && onBehalfOfId !== actorId;
  const isNamedAbove = isForOther && subjectKind === 'member' && subjectId === String(onBehalfOfId);
  return (
    <li className="grid gap-x-3 gap-y-1 p-3 rows:grid-cols-[10rem_minmax(0,1fr)]">
      <p className="text-quiet">
        <At at={at} />
      </p>
      <div className="min-w-0 wrap-anywhere">
        <p>
          <Action of={action} />{' '}
          {actorId === null ? (
            t('audit.operator')
          ) : (
            <Person id={actorId} name={actorName} words={t('audit.by')} />
          )}
          {isForOther ? (
            <>
              {' '}
              <Person id={onBehalfOfId} name={onBehalfOfName} words={t('audit.for')} />
            </>
          ) : null}
        </p>
        <p className="text-quiet">
          {isNamedAbove ? null : <Subject kind={subjectKind} id={subjectId} name={subjectName} />}
          {address === null ? null : (
            <>
              {' '}
              {t('audit.from')} <bdi className="font-mono">{address}</bdi>
            </>
          )}
        </p>
        <ul className="text-note">
          {changesOf(before, after).map(({ name, from, to }) => (
            <li key={name}>
              <bdi className="font-mono text-quiet">{name.replace(/Ms$/, '')}</bdi>{' '}
              {from === undefined ? null : <bdi className="line-through">{from}</bdi>}{' '}
              {to === undefined ? null : <bdi>{to}</bdi>}
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}

/** The actions, in words and as filter values. */
function Action({ of: action }: { readonly of: string }): ReactElement {
  const words = actionWords(action);
  return (
    <>
      {words === undefined ? null : <span className="font-semibold">{words}</span>}{' '}
      <bdi className={`font-mono ${words === undefined ? 'font-semibold' : 'text-quiet'}`}>{action}</bdi>
    </>
  );
}

/** A member by name and id; by the id alone where the data is erased. */
function Person({
  id,
  name,
  words,
}: {
  readonly id: number;
  readonly name: string | null;
  readonly words: string;
}): ReactElement {
  return (
    <span>
      {words}{' '}
      <Link to="/members/$memberId" params={{ memberId: String(id) }} className={LINK}>
        <Named name={name} id={`#${id}`} />
      </Link>
    </span>
  );
}

function Named({ name, id }: { readonly name: string | null; readonly id: string }): ReactElement {
  return (
    <span>
      {name === null ? null : (
        <>
          <bdi>{name}</bdi>{' '}
        </>
      )}
      <bdi className="font-mono text-note">{id}</bdi>
    </span>
  );
}

/** The subject, with a link if it has a page. */
function Subject({
  kind,
  id,
  name,
}: {
  readonly kind: string | null;
  readonly id: string | null;
  readonly name: string | null;
}): ReactElement | null {
  if (kind === null) return null;
  const words = <Named name={name} id={id === null ? kind : `${kind}/${id}`} />;
  if (id !== null && kind === 'member') {
    return (
      <Link to="/members/$memberId" params={{ memberId: id }} className={LINK}>
        {words}
      </Link>
    );
  }
  if (id !== null && kind === 'account') {
    return (
      <Link to="/accounts/$accountId" params={{ accountId: id }} className={LINK}>
        {words}
      </Link>
    );
  }
  return words;
}
