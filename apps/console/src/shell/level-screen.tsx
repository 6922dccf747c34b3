import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Screen } from '@gatehouse/ui/screen/screen';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { enrolPath } from '../links.js';
import { t } from '../words.js';

/** For staff of whom more is asked than their session has shown. */
export function LevelScreen({ level }: { readonly level: number }): ReactElement {
  const queries = useQueryClient();
  const sending = useSending();
  return (
    <Screen
      title={t('level.title')}
      state="shut"
      lead={t(level >= 3 ? 'level.leadPasskey' : 'level.lead')}
      actions={
        <>
          <ButtonLink kind="primary" href={enrolPath(location.pathname + location.search)}>
            {t('level.enrol')}
          </ButtonLink>
          <Button
            isBusy={sending.isBusy}
            onClick={() =>
              sending.send(async (signal) => {
                await proven(() => gatehouse.api.member.search.query({ limit: 1 }, { signal }));
                await queries.invalidateQueries();
              })
            }
          >
            {t('level.prove')}
          </Button>
        </>
      }
    >
      {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
    </Screen>
  );
}
