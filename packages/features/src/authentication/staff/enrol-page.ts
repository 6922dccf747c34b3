import { readFileSync } from 'node:fs';
import { ADDRESS_ATTRIBUTES, otherHostThan, pageAbout, sendPage } from '@gatehouse/http/pages/html-page';
import { send } from '@gatehouse/http/rest/reply';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../../core/context.js';

const SCRIPT = new URL('browser/enrol.js', import.meta.url);
const SCRIPT_PATH = '/enrol/enrol.js';

const STYLE = `
section[hidden]{display:none}
ul{padding-left:1.25rem}
code{overflow-wrap:anywhere;font:1rem/1.45 ui-monospace,monospace}
button+button{margin-left:.5rem}
`;

const BODY = `
<p>Staff set up a passkey or an authenticator app here, before they can do anything else.</p>
<noscript><p class="bad">This page needs scripts: passkeys are made by the browser.</p></noscript>
<div role="alert" id="problem"></div>
<p role="status" id="status"></p>
<section id="signIn" aria-labelledby="signInTitle">
<h2 id="signInTitle" tabindex="-1">Sign in</h2>
<form>
<label for="email">E-mail address</label>
<input id="email" name="email" ${ADDRESS_ATTRIBUTES} autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button>
</form>
</section>
<section id="step" aria-labelledby="stepTitle" hidden>
<h2 id="stepTitle" tabindex="-1">Second step</h2>
<form>
<label for="code">The code of your authenticator app, a backup code, or the ticket of a recovery</label>
<input id="code" name="code" autocomplete="one-time-code" required>
<button type="submit">Continue</button>
</form>
</section>
<section id="choose" aria-labelledby="chooseTitle" hidden>
<h2 id="chooseTitle" tabindex="-1">Add a factor</h2>
<ul id="has"></ul>
<form id="proof">
<p class="hint">The first factor takes a proof: the ticket that the operator printed, or a code sent to your address.</p>
<label for="ticket">Ticket</label>
<input id="ticket" name="ticket" autocomplete="off">
<label for="emailCode">Code from the mail</label>
<input id="emailCode" name="emailCode" inputmode="numeric" autocomplete="one-time-code">
<button type="button" id="sendCode">Mail me a code</button>
</form>
<form id="recovery">
<p class="hint">If your passkeys are lost: the ticket that was mailed to you ends them once you add another.</p>
<label for="recoveryTicket">Ticket of the recovery</label>
<input id="recoveryTicket" name="recoveryTicket" autocomplete="off" required>
<button type="submit">Use the ticket</button>
</form>
<button type="button" id="addPasskey">Add a passkey</button>
<button type="button" id="addTotp">Add an authenticator app</button>
</section>
<section id="totp" aria-labelledby="totpTitle" hidden>
<h2 id="totpTitle" tabindex="-1">Authenticator app</h2>
<p>Enter this key in the app: <code id="secret"></code></p>
<p><a id="uri" href="#">Open it in an app on this device</a></p>
<form>
<label for="totpCode">The code that the app shows</label>
<input id="totpCode" name="totpCode" inputmode="numeric" autocomplete="one-time-code" required>
<button type="submit">Add it</button>
</form>
</section>
<section id="done" aria-labelledby="doneTitle" hidden>
<h2 id="doneTitle" tabindex="-1">Done</h2>
<p id="backupText">Keep these backup codes somewhere safe. They are shown only now.</p>
<ul id="backupCodes"></ul>
<p id="onward" hidden><a id="next" href="#">Go on in the console</a></p>
</section>
`;

/**
 * The bare page where staff add their first factor, for as long as there is no console that does it. Its script calls the
 * procedures that a session below the level opens.
 */
export const enrolPage = {
  summary: 'Where staff set up their first factor',
  about: pageAbout({ tag: 'pages', description: 'The page', refuses: [] }),
  handle: ({ request, response, ctx }) => {
    const script = `${SCRIPT_PATH}?header=${ctx.services.config.TOKEN_HEADER_KEY}`;
    const movesTo = otherHostThan(ctx.services.config.BASE_URL, request);
    sendPage(response, { title: 'Set up your sign-in', body: BODY, style: STYLE, script, movesTo });
  },
} satisfies RawEndpoint<Context>;

let text: string | undefined;

/** The script of the page, as written. */
export const enrolScript = {
  summary: 'The script of that page',
  about: {
    tag: 'pages',
    answers: { 200: { description: 'The script', content: { 'text/javascript': z.string() } } },
    refuses: [],
  },
  handle: ({ response }) => {
    text ??= readFileSync(SCRIPT, 'utf8');
    send(response, 200, 'text/javascript; charset=utf-8', text);
  },
} satisfies RawEndpoint<Context>;
