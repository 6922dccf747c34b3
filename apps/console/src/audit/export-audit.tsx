import type { AdminInputs } from '@gatehouse/client-sdk/admin';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { ExportCsv } from '../shell/export-csv.js';
import { actionWords } from './actions/action-words.js';
import type { Entry } from './entry.js';
import { t } from './words.js';

/** Saves the lines that match as CSV. */
export function ExportAudit({
  ask,
}: {
  /** The filters at this moment. */
  readonly ask: () => NonNullable<AdminInputs['audit']['list']>;
}): ReactElement {
  return (
    <ExportCsv<Entry>
      list="audit.list"
      filters={ask()}
      file={t('audit.title')}
      read={(page, signal) => gatehouse.api.audit.list.query({ ...ask(), ...page }, { signal })}
      head={[
        t('audit.at'),
        t('audit.action'),
        t('audit.key'),
        t('audit.actor'),
        t('audit.actorId'),
        t('audit.onBehalfOf'),
        t('audit.onBehalfOfId'),
        t('audit.subject'),
        t('audit.subjectName'),
        t('audit.account'),
        t('audit.accountId'),
        t('audit.address'),
        t('audit.request'),
        t('audit.before'),
        t('audit.after'),
      ]}
      row={(entry) => [
        entry.at,
        actionWords(entry.action) ?? '',
        entry.action,
        entry.actorName ?? '',
        entry.actorId ?? '',
        entry.onBehalfOfName ?? '',
        entry.onBehalfOfId ?? '',
        [entry.subjectKind, entry.subjectId].filter((part) => part !== null).join('/'),
        entry.subjectName ?? '',
        entry.accountName ?? '',
        entry.accountId ?? '',
        entry.address ?? '',
        entry.requestId ?? '',
        entry.before === null ? '' : JSON.stringify(entry.before),
        entry.after === null ? '' : JSON.stringify(entry.after),
      ]}
    />
  );
}
