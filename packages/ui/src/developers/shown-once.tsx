import type { ReactElement, ReactNode } from 'react';
import type { MutationState } from '../call/mutation-state.js';
import { explainError, isUnsure } from '../failure/use-mutation-state.js';
import { Button } from '../parts/button.js';
import { CopyButton } from '../parts/copy-button.js';
import { Dialog } from '../parts/dialog.js';
import { t } from './words.js';

/**
 * Makes a secret. If its answer is lost, it may exist and cannot be shown: `ifUnsure` says what to do then.
 * @returns the secret; undefined if it is not known
 */
export async function makeSecret<Made>(
  mutation: MutationState,
  ifUnsure: string,
  make: () => Promise<Made>,
): Promise<Made | undefined> {
  try {
    return await make();
  } catch (error) {
    // A browser that is offline sends nothing.
    if (!isUnsure(error) || !navigator.onLine) throw error;
    const { message = '', ...failure } = explainError(error) ?? { issues: [], mayRetry: false };
    mutation.fail({ ...failure, message: `${message} ${ifUnsure}`.trim() });
    return undefined;
  }
}

/** Shows a secret, this once. It closes only when the person confirms that it is saved. */
export function ShownOnce({
  title,
  lead,
  secret,
  onClose,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** How it is used. */
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <Dialog title={title}>
      <p className="text-lead text-quiet">{lead}</p>
      <div className="flex flex-col gap-3">
        <p className="bg-well p-3 font-mono wrap-anywhere select-all" translate="no">
          {secret}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <CopyButton text={secret} />
        </div>
      </div>
      {children}
      <Button kind="primary" isWide onClick={onClose}>
        {t('secret.kept')}
      </Button>
    </Dialog>
  );
}
