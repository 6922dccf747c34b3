import type { MainOutputs } from '@gatehouse/client-sdk';
import type { StatusTone } from '../parts/icons.js';
import { shownTime } from '../screen/shown-time.js';
import { t } from './words.js';

export type Endpoint = MainOutputs['eventEndpoint']['list']['data'][number];

/** What an endpoint answered to a test event. */
export type Ping = MainOutputs['eventEndpoint']['test']['data'];

const FAULTS = {
  gone: 'endpoint.gone',
  failing: 'endpoint.failing',
  backlog: 'endpoint.backlog',
} as const;

/** The state of an endpoint, in a word and a sentence. */
export function endpointStatus({ state, active, fault, failures, failingSince }: Endpoint): {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
} {
  if (state === 'disabled')
    return {
      tone: 'error',
      title: t('endpoint.disabled'),
      lead: t(fault === null ? 'endpoint.disabledLead' : FAULTS[fault]),
    };
  if (!active) return { tone: 'pending', title: t('endpoint.paused'), lead: t('endpoint.pausedLead') };
  if (state === 'pending')
    return { tone: 'pending', title: t('endpoint.waiting'), lead: t('endpoint.waitingLead') };
  if (failures > 0 && failingSince !== null)
    return {
      tone: 'pending',
      title: t('endpoint.activeFailing'),
      lead: t('endpoint.activeFailingLead', { count: failures, time: shownTime(failingSince) }),
    };
  return { tone: 'ok', title: t('endpoint.active'), lead: t('endpoint.activeLead') };
}

/** Why there was no answer, by the codes of the service. */
const ERRORS = {
  no_public_address: 'answer.noPublicAddress',
  connect_failed: 'answer.connectFailed',
  connect_timeout: 'answer.connectTimeout',
  tls_failed: 'answer.tlsFailed',
  connection_lost: 'answer.connectionLost',
  timeout: 'answer.timeout',
  secret_unreadable: 'answer.secretUnreadable',
} as const;

const isKnown = (code: string): code is keyof typeof ERRORS => Object.hasOwn(ERRORS, code);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** What an endpoint answered, or why it did not, in a sentence. */
export function answerText({
  httpStatus,
  ms,
  error,
}: {
  readonly httpStatus: number | null;
  readonly ms: number;
  readonly error: string | null;
}): string {
  if (httpStatus !== null)
    return t(isSuccess(httpStatus) ? 'answer.accepted' : 'answer.rejected', {
      status: String(httpStatus),
      ms,
    });
  return error !== null && isKnown(error) ? t(ERRORS[error]) : t('answer.none');
}

/** The same of a test event. */
export function pingText({ httpStatus, ms, verdict }: Ping): {
  readonly tone: StatusTone;
  readonly words: string;
} {
  return {
    tone: httpStatus !== null && isSuccess(httpStatus) ? 'ok' : 'error',
    words: answerText({ httpStatus, ms, error: verdict }),
  };
}
