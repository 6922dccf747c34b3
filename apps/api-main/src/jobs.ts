import { accountErasure, memberErasure } from '@gatehouse/features/account/erasure-jobs';
import { invitationExpiry } from '@gatehouse/features/account/invitation-expiry';
import { oauthResealing } from '@gatehouse/features/application/provider/artifact-store';
import {
  applicationLoginRetention,
  backchannelLogout,
} from '@gatehouse/features/application/provider/send-logouts';
import { memberKeyResealing } from '@gatehouse/features/audit/member-cipher';
import { securityEventRetention } from '@gatehouse/features/audit/security-events';
import {
  accessRetention,
  loginFailureRetention,
} from '@gatehouse/features/authentication/authentication-retention';
import { recoveryTickets } from '@gatehouse/features/authentication/recovery/recovery-tickets';
import { totpResealing } from '@gatehouse/features/authentication/second-factor/factor-codes';
import { reconcilePayments, trialEnds } from '@gatehouse/features/billing/billing-jobs';
import { webhookRetention } from '@gatehouse/features/billing/rejected-deliveries';
import { webhookWorker } from '@gatehouse/features/billing/webhook-worker';
import { signingKeyResealing } from '@gatehouse/features/core/access/signing-keys';
import type { Services } from '@gatehouse/features/core/context';
import { eventDelivery } from '@gatehouse/features/endpoint/deliver-events';
import { endpointResealing } from '@gatehouse/features/endpoint/endpoint-secrets';
import { eventQueue } from '@gatehouse/features/endpoint/queue-events';
import { eventRedelivery } from '@gatehouse/features/endpoint/redeliver-events';
import { eventRetention, eventSequence } from '@gatehouse/features/event/event-jobs';
import { keyNotices } from '@gatehouse/features/machine/key-notices';
import { mailDelivery } from '@gatehouse/features/mail/mail-delivery';
import { mailRetention } from '@gatehouse/features/mail/mail-retention';
import { mailWatch } from '@gatehouse/features/mail/mail-watch';
import { agreedAddresses } from '@gatehouse/features/registration/agree-to-address';
import { scimLogPruning } from '@gatehouse/features/scim/prune-log';
import { scimTokenNotices } from '@gatehouse/features/scim/token-notices';
import {
  connectionRenewal,
  connectionResealing,
  socialRetention,
} from '@gatehouse/features/social/renew-connection';
import { ssoDomainChecks } from '@gatehouse/features/sso/check-domains';
import { ssoResealing } from '@gatehouse/features/sso/connection-secrets';
import { samlMetadataChecks } from '@gatehouse/features/sso/look-at-metadata';
import { nodeReport, statisticsCounting } from '@gatehouse/features/staff/statistics-jobs';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';

/** The jobs of this deployment. */
export const jobs: readonly Job<Services>[] = [
  accessRetention,
  accountErasure,
  agreedAddresses,
  applicationLoginRetention,
  backchannelLogout,
  loginFailureRetention,
  connectionRenewal,
  connectionResealing,
  endpointResealing,
  eventDelivery,
  eventQueue,
  eventRedelivery,
  eventRetention,
  eventSequence,
  invitationExpiry,
  mailDelivery,
  mailRetention,
  mailWatch,
  memberErasure,
  memberKeyResealing,
  totpResealing,
  signingKeyResealing,
  oauthResealing,
  keyNotices,
  nodeReport,
  reconcilePayments,
  recoveryTickets,
  scimLogPruning,
  scimTokenNotices,
  securityEventRetention,
  socialRetention,
  samlMetadataChecks,
  ssoDomainChecks,
  ssoResealing,
  statisticsCounting,
  trialEnds,
  webhookRetention,
  webhookWorker,
];
