import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { LINK } from '../shell/link-look.js';
import { t as ofConsole } from '../words.js';
import type { AccountPage } from './account-page.js';
import { t } from './words.js';

/** Where a screen about an account stands: the way back to the account, and to all of them. */
export function AccountPath({
  account: { id, name },
  here,
}: {
  readonly account: AccountPage['account'];
  /** What the screen shows of the account; absent on the account's own. */
  readonly here?: string;
}): ReactElement {
  const called = (
    <>
      <bdi>{name}</bdi> <span className="font-mono">#{id}</span>
    </>
  );
  return (
    <nav
      aria-label={ofConsole('path.label')}
      className="flex flex-wrap items-baseline gap-x-2 text-quiet wrap-anywhere"
    >
      <Link to="/accounts" className={LINK}>
        {t('accountList.title')}
      </Link>
      <span aria-hidden="true">/</span>
      {here === undefined ? (
        <span>{called}</span>
      ) : (
        <>
          <Link to="/accounts/$accountId" params={{ accountId: String(id) }} className={`${LINK} gap-1`}>
            {called}
          </Link>
          <span aria-hidden="true">/</span>
          <span>{here}</span>
        </>
      )}
    </nav>
  );
}
