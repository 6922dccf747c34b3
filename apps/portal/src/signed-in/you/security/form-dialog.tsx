import type { MutationState } from '@gatehouse/ui/call/use-send';
import { Form, type FormFields } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import type { ReactElement, ReactNode } from 'react';
import { t } from './words.js';

/** A form over the page, for what adds to somebody's safety. `Confirm` is for what takes from it. */
export function FormDialog({
  title,
  lead,
  action,
  mutation,
  onSend,
  onClose,
  children,
}: {
  readonly title: string;
  readonly lead: ReactNode;
  /** The words on the button that sends it. */
  readonly action: string;
  readonly mutation: MutationState;
  readonly onSend: (fields: FormFields, signal: AbortSignal) => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="text-lead text-pretty text-quiet wrap-anywhere">{lead}</div>
      <Form mutation={mutation} onSend={onSend}>
        {children}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {action}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
