import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { ActionLink } from '../shell/action-links.js';
import { t } from '../words.js';
import { PARTNERS_KEY, SecretOnce } from './partner-secret.js';

export const NewPartnerScreen = inLanguage(NewPartner);

interface Added {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
}

function NewPartner(): ReactElement {
  const [added, setAdded] = useState<Added>();
  if (!mayAsStaff(useMe(), 'partner.manage')) return <Denied />;
  if (added === undefined) return <Fields onAdded={setAdded} />;
  const { id, name, secret } = added;
  return (
    <Screen
      title={t('partners.added', { name })}
      tone="ok"
      lead={t('partners.addedLead')}
      actions={
        <ActionLink to="/partners/$partnerId" params={{ partnerId: String(id) }}>
          {t('partners.see')}
        </ActionLink>
      }
    >
      <SecretOnce secret={secret} note={t('secret.giveAway')} />
    </Screen>
  );
}

function Fields({ onAdded }: { readonly onAdded: (added: Added) => void }): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('name', 'appUrl');
  return (
    <Screen title={t('partners.add')} lead={t('partners.addLead')}>
      <Card title={t('partners.sheet')}>
        <div className="max-w-md p-3">
          <Form
            mutation={mutation}
            onSend={async (fields, signal) => {
              const [name, appUrl] = [(fields['name'] ?? '').trim(), (fields['appUrl'] ?? '').trim()];
              const { partnerId, secretKey } = await withReauth(() =>
                gatehouse.api.partner.save.mutate({ name, appUrl }, { signal }),
              );
              void queries.invalidateQueries({ queryKey: PARTNERS_KEY });
              onAdded({ id: partnerId, name, secret: secretKey ?? '' });
            }}
          >
            <TextField
              name="name"
              label={t('fact.name')}
              hint={t('partners.nameHint')}
              autoComplete="off"
              required
            />
            <TextField
              name="appUrl"
              label={t('partners.appUrl')}
              hint={t('partners.appUrlHint')}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
            <div>
              <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
                {t('partners.add')}
              </Button>
            </div>
          </Form>
        </div>
      </Card>
    </Screen>
  );
}
