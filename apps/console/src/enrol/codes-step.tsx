import { BackupCodes } from '@gatehouse/ui/parts/backup-codes';
import { Button } from '@gatehouse/ui/parts/button';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import type { ReactElement } from 'react';
import { nextPath } from '../links.js';
import { AuthLayout } from '../sign-in/auth-layout.js';
import { t } from './words.js';

/** The last step: backup codes, which are shown only now, and the link to continue. */
export function CodesStep({ codes }: { readonly codes: readonly string[] }): ReactElement {
  const hasCodes = codes.length > 0;
  return (
    <AuthLayout
      title={t(hasCodes ? 'enrol.codesTitle' : 'enrol.doneTitle')}
      lead={t(hasCodes ? 'enrol.codesLead' : 'enrol.doneLead')}
      illustration="ok"
      takesFocus
    >
      {hasCodes ? <BackupCodes codes={codes} fileName={`${t('enrol.file')}.txt`} /> : null}
      <Button kind="primary" isWide onClick={() => void leaveTo(nextPath(), { forGood: true })}>
        {t(hasCodes ? 'enrol.saved' : 'enrol.goOn')}
      </Button>
    </AuthLayout>
  );
}
