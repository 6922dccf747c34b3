import type { Permission } from '@gatehouse/client-sdk';
import { Denied } from '@gatehouse/ui/screen/asked';
import { roleName } from '@gatehouse/ui/team/role-name';
import type { ReactElement, ReactNode } from 'react';
import { NotYours } from '../../screen/not-yours.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { usePlace } from '../account-place.js';
import { DeveloperTabs } from './developer-tabs.js';

/** A screen for developers, for those who have its permission and signed in themselves. */
export function DeveloperFrame({
  permission,
  children,
}: {
  readonly permission: Permission;
  readonly children: ReactNode;
}): ReactElement {
  const { maySee, roleLabel } = usePlace();
  const me = useMe();
  if (!maySee(permission)) return <Denied role={roleName(roleLabel)} />;
  return isReadOnly(me) ? (
    <NotYours />
  ) : (
    <div className="flex flex-col gap-6">
      <DeveloperTabs />
      {children}
    </div>
  );
}
