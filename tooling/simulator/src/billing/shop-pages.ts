import { escapeHtml } from '@gatehouse/http/pages/html-page';
import type { Sale, Subscription } from './shop.js';

const STYLE = `
body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;background:#eef1f5;color:#1c1c1a}
main{max-width:26rem;margin:0 auto;padding:2rem;background:#fff;border-radius:.75rem;border:1px solid #d5d9e0}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input{width:100%;box-sizing:border-box;padding:.5rem;font:inherit}
button{margin:1rem .75rem 0 0;padding:.6rem 1.25rem;font:inherit;font-weight:600}
.hint{font-size:.9rem;color:#55554f}
`;

const NAMES = { stripe: 'Stripe', paddle: 'Paddle' } as const;

function page(title: string, body: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(title)}</h1>`,
    ...body,
    '<p class="hint">No money changes hands: nothing leaves this machine.</p>',
    '</main></body></html>',
  ].join('\n');
}

/** The page where somebody pays or cancels. */
export function checkoutPage(sale: Sale): string {
  const title = `${NAMES[sale.provider]} checkout, simulated`;
  if (sale.status !== 'open') return page(title, ['<p>This checkout is over.</p>']);
  return page(title, [
    `<p>Account ${escapeHtml(sale.accountId ?? 'unknown')} buys <code>${escapeHtml(sale.priceId)}</code>.</p>`,
    '<form method="post">',
    '<label for="email">E-mail address of the payer</label>',
    '<input id="email" name="email" value="payer@example.test">',
    '<button name="action" value="pay">Pay</button>',
    '<button name="action" value="leave">Leave</button>',
    '</form>',
  ]);
}

/** The page where customers manage their subscription. */
export function portalPage(
  provider: Subscription['provider'],
  subscriptions: readonly Subscription[],
): string {
  return page(`${NAMES[provider]} customer portal, simulated`, [
    subscriptions.length === 0 ? '<p>Nothing is paid for.</p>' : '',
    ...subscriptions.map((subscription) =>
      [
        `<h2>${escapeHtml(subscription.priceId)}</h2>`,
        `<p>${subscription.status}${subscription.cancelsAtPeriodEnd ? ', ends with the period' : ''}</p>`,
        '<form method="post">',
        `<input type="hidden" name="subscription" value="${escapeHtml(subscription.id)}">`,
        '<button name="action" value="miss">Let a payment fail</button>',
        '<button name="action" value="settle">Pay what is due</button>',
        '<button name="action" value="cancelLater">Cancel at the end of the period</button>',
        '<button name="action" value="cancel">Cancel now</button>',
        '</form>',
      ].join('\n'),
    ),
    '<form method="post"><button name="action" value="leave">Back</button></form>',
  ]);
}
