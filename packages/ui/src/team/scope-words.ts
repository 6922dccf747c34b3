import { t } from './words.js';

/** What the permissions of the service allow; those of a product have descriptive names. */
const SCOPES = {
  'account.read': 'scope.accountRead',
  'account.manage': 'scope.accountManage',
  'member.list': 'scope.memberList',
  'member.manage': 'scope.memberManage',
  'conversation.read': 'scope.conversationRead',
  'subject.remove': 'scope.subjectRemove',
  'subscription.read': 'scope.subscriptionRead',
  'billing.manage': 'scope.billingManage',
  'social.connect': 'scope.socialConnect',
  'knowledge.analyze': 'scope.knowledgeAnalyze',
  'event.read': 'scope.eventRead',
} as const;

/** The permissions of the service that a program may be given. */
export const SCOPE_NAMES: readonly string[] = Object.keys(SCOPES);

const isKnown = (name: string): name is keyof typeof SCOPES => Object.hasOwn(SCOPES, name);

/** What a scope allows; undefined for one of the product. */
export function aboutScope(name: string): string | undefined {
  return isKnown(name) ? t(SCOPES[name]) : undefined;
}
