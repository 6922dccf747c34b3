import { type ReactElement, useState } from 'react';
import { More, usePages } from '../list/paged-list.js';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { RowMark } from '../parts/icons.js';
import { Notice } from '../parts/notice.js';
import { QueryView } from '../screen/asked.js';
import { Screen } from '../screen/screen.js';
import { ApplicationDialog } from './application-form.js';
import { type Application, useApplications } from './application-rules.js';
import { applicationStatus, typeName } from './application-words.js';
import type { LinkLook } from './endpoints.js';
import { t } from './words.js';

/** The applications of an account or of the deployment. */
export function Applications({
  lead,
  none,
  firstNotice,
  linkTo,
  onRegistered,
}: {
  readonly lead: string;
  /** An explanation of applications, shown while there are none. */
  readonly none: string;
  /** A notice left by another screen. */
  readonly firstNotice: string | undefined;
  /** A link to the screen of an application. */
  readonly linkTo: (applicationId: number, look: LinkLook) => ReactElement;
  /** Shows the screen of a new application. */
  readonly onRegistered: (applicationId: number, notice: string) => Promise<void>;
}): ReactElement {
  const { api, key } = useApplications();
  const applications = usePages<Application>([...key, 'applications', 'list'], (page, signal) =>
    api.list.query(page, { signal }),
  );
  const [isAdding, setAdding] = useState(false);
  const [notice, setNotice] = useState(firstNotice);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('application.add')}
    </Button>
  );
  return (
    <QueryView answer={applications} title={t('applications.title')}>
      {(rows) => (
        <Screen title={t('applications.title')} lead={lead} actions={rows.length === 0 ? undefined : add}>
          <Notice text={notice} onClose={setNotice} />
          {rows.length === 0 ? (
            <Card title={t('applications.noneTitle')}>
              <div className="flex flex-col items-start gap-4 p-3">
                <p className="max-w-prose">{none}</p>
                {add}
              </div>
            </Card>
          ) : (
            <Card title={t('applications.list')}>
              <ul className="divide-y divide-line">
                {rows.map((application) => (
                  <Row key={application.id} application={application} linkTo={linkTo} />
                ))}
              </ul>
              <More of={applications} />
            </Card>
          )}
          {isAdding ? (
            <ApplicationDialog
              onSaved={({ id, name }) => onRegistered(id, t('application.registered', { name }))}
              onClose={() => setAdding(false)}
            />
          ) : null}
        </Screen>
      )}
    </QueryView>
  );
}

function Row({
  application,
  linkTo,
}: {
  readonly application: Application;
  readonly linkTo: (applicationId: number, look: LinkLook) => ReactElement;
}): ReactElement {
  const { id, name, type, clientId } = application;
  const { tone, title } = applicationStatus(application);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 px-3 py-2.5">
      <span className="pt-0.5">
        <RowMark tone={tone} />
      </span>
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        {linkTo(id, {
          className:
            'min-h-6 font-semibold underline decoration-line underline-offset-3 hover:decoration-ink',
          children: <bdi>{name}</bdi>,
        })}
        <code className="font-mono text-note text-quiet">{clientId}</code>
        <p className="text-note text-quiet">
          {title} · {typeName(type)}
        </p>
      </div>
    </li>
  );
}
